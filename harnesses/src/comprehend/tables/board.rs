//! What a scoreboard holds, as tables ask for it.

use std::collections::BTreeSet;

use ground_truth::graders::RuleSet;
use ground_truth::questions::{Pack, QuestionType};
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{
    BLIND, ConditionLabel, GradedMeasures, MECHANICAL, NO_CONTEXT, What,
};
use scoreboards::{Group, Lookup, Row, Scoreboard};

/// One reader under one condition.
pub(super) type Cell<'a> = (&'a str, &'a str);

/// A scoreboard, and the inputs, conditions and readers in it.
pub(super) struct AnsweredBoard<'a> {
    pub(super) aggregates: Lookup<'a>,
    /// Inputs and packs with answers.
    pub(super) parts: BTreeSet<(&'a str, &'a str)>,
    /// Its conditions, the built-in ones first.
    pub(super) conditions: Vec<&'a str>,
    /// The rule sets that graded it; tables show the first in full.
    pub(super) rule_sets: Vec<RuleSet>,
    pub(super) mechanical: bool,
    /// The model that answers, by its label.
    pub(super) model: Option<&'a str>,
}

impl<'a> AnsweredBoard<'a> {
    pub(super) fn of(board: &'a Scoreboard) -> Self {
        let about = |what| board.rows.iter().filter(move |row| row.is(&names::WHAT, what));
        let asked =
            |row: &'a Row| Some((row.label_of(&names::INPUTS)?, row.label_of(&names::PACK)?));
        let conditions: BTreeSet<&str> =
            about(What::Context).filter_map(|row| row.label_of(&names::CONDITION)).collect();
        let mut conditions: Vec<&str> = conditions.into_iter().collect();
        conditions.sort_by_key(|name| ConditionLabel::place(name));
        let readers: BTreeSet<&str> =
            about(What::Answer).filter_map(|row| row.label_of(&names::READER)).collect();
        let graders = &board.provenance.graders;
        let graded = |it: &RuleSet| {
            let by = graders.get(GradedMeasures::of(*it).score.name());
            by.is_some_and(|name| name == it.name())
        };
        let newest_first = [RuleSet::Strict2, RuleSet::Strict1, RuleSet::Paper1];
        Self {
            aggregates: Lookup::of(board),
            parts: about(What::Answer).filter_map(asked).collect(),
            conditions,
            rule_sets: newest_first.into_iter().filter(graded).collect(),
            mechanical: readers.contains(MECHANICAL),
            model: readers.into_iter().find(|it| ![MECHANICAL, BLIND].contains(it)),
        }
    }

    /// `blind`, then `mechanical` and the model under each condition.
    pub(super) fn cells(&self) -> Vec<Cell<'a>> {
        let readers = self.mechanical.then_some(MECHANICAL).into_iter().chain(self.model);
        let under = |reader| self.conditions.iter().map(move |condition| (reader, *condition));
        [(BLIND, NO_CONTEXT)].into_iter().chain(readers.flat_map(under)).collect()
    }

    /// The columns' names: the reader is named where there are two.
    pub(super) fn headings(&self) -> Vec<String> {
        let name = |(reader, condition): Cell<'_>| match reader {
            BLIND => BLIND.to_owned(),
            MECHANICAL if self.model.is_some() => format!("mech. {condition}"),
            MECHANICAL => condition.to_owned(),
            _ => format!("model {condition}"),
        };
        self.cells().into_iter().map(name).collect()
    }

    /// A row of a table over conditions.
    pub(super) fn by_condition(
        &self,
        title: impl Into<String>,
        value: impl Fn(&str) -> String,
    ) -> Vec<String> {
        let values = self.conditions.iter().map(|it| value(it));
        [title.into()].into_iter().chain(values).collect()
    }

    /// The columns' heads of a table over conditions.
    pub(super) fn condition_names(&self) -> impl Iterator<Item = String> {
        self.conditions.iter().map(|&it| it.to_owned())
    }
}

/// The rows about something that inputs, reader and condition select.
pub(super) fn of_cell(what: What, inputs: &str, (reader, condition): Cell<'_>) -> Group {
    let group = what.rows().and(&names::INPUTS, inputs);
    group.and(&names::READER, reader).and(&names::CONDITION, condition)
}

/// The answers about a pack that inputs, reader and condition select.
pub(super) fn answers(inputs: &str, pack: &str, cell: Cell<'_>) -> Group {
    of_cell(What::Answer, inputs, cell).and(&names::PACK, pack)
}

/// The question types of a pack in its order.
pub(super) fn types(pack: &str) -> Vec<&'static str> {
    let pack = Pack::named(pack);
    pack.map(|pack| pack.types().map(QuestionType::as_str).collect()).unwrap_or_default()
}
