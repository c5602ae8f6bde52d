//! What each arm of CONTINUE would have held, and what it would have cost.

use scoreboards::{Decimal, Table};
use trace_model::pricing::Dollars;

use super::{HEADLINES, Measured, cell};
use crate::continuation::arms::ARMS;
use crate::continuation::replay::arms::left_out;
use crate::continuation::replay::contexts::Size;
use crate::continuation::replay::measure::ContextId;
use crate::continuation::replay::recall::{Question, recall};

/// A table for each headline.
pub(super) fn tables(measured: Measured<'_>) -> Vec<Table> {
    let mut tables: Vec<Table> =
        HEADLINES.iter().filter_map(|question| table(measured, *question)).collect();
    if let Some(last) = tables.last_mut() {
        for arm in &ARMS {
            if let Some(why) = left_out(arm) {
                last.notes.push(format!("{} is left out: {why}", arm.name));
            }
        }
    }
    tables
}

fn table(measured: Measured<'_>, question: Question) -> Option<Table> {
    let title = format!(
        "arms at {} cuts: share of {} held; mean tokens of the context there (estimated), mean dollars of the calls before (simulated)",
        question.cut.name(),
        question.asked.name()
    );
    let heads = ["held", "characters", "tokens", "dollars"];
    let mut table = Table::of_numbers(title, "arm", heads);
    for (at, arm) in ARMS.iter().enumerate() {
        let key = (ContextId::Arm(at), Size::Own);
        let recall = recall(measured.runs, key, question, Some(measured.seed));
        let cuts = measured.runs.iter().flat_map(|run| &run.cuts);
        let costs: Vec<_> = (cuts.filter(|cut| cut.kind == question.cut))
            .filter_map(|cut| cut.costs.get(&at))
            .collect();
        let count = costs.len() as u64;
        let tokens: u64 = costs.iter().map(|cost| cost.tokens).sum();
        let Some(mean_tokens) = tokens.checked_div(count) else { continue };
        let dollars: Option<Decimal> =
            costs.iter().map(|cost| cost.dollars.map(Dollars::amount)).sum();
        let mean_dollars = dollars.and_then(|all| all.checked_div(Decimal::from(count)));
        table.rows.push(vec![
            arm.name.to_owned(),
            cell(&recall),
            format!("{:.0}", recall.mean_chars),
            mean_tokens.to_string(),
            mean_dollars.map_or_else(|| "-".to_owned(), |it| format!("${:.4}", it.round_dp(4))),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}
