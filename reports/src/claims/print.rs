//! Verdicts as lines.

use scoreboards::Table;

use super::judge::{Judged, Verdict};
use crate::tables::{number, table, text};

/// One line per claim: its verdict, both figures, what it rests on, what it says and where.
pub fn as_table<'a>(judged: impl IntoIterator<Item = &'a Judged<'a>>) -> Table {
    let columns = [
        text("verdict"),
        text("claim"),
        number("paper"),
        number("recomputed"),
        text("from"),
        text("where"),
        text("what it says"),
    ];
    let mut table = table("claims", "Each claim, its figure and the recomputed one", columns);
    table.rows = judged.into_iter().map(row).collect();
    table
}

fn row(judged: &Judged<'_>) -> Vec<String> {
    let claim = judged.claim;
    vec![
        judged.verdict.name().to_owned(),
        claim.id.clone(),
        claim.figure.clone(),
        recomputed(&judged.verdict),
        if judged.figure().is_some() { claim.compute.basis().name() } else { "" }.to_owned(),
        claim.place.clone(),
        remarks(judged),
    ]
}

fn recomputed(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Reproduced(figure) | Verdict::Differs(figure) => figure.to_string(),
        Verdict::NotComputable(_) => "-".to_owned(),
    }
}

/// What it says, why it is not computed, what pooled cells differ in, and its note.
fn remarks(judged: &Judged<'_>) -> String {
    let mut text = judged.claim.says.clone();
    if let Verdict::NotComputable(why) = &judged.verdict {
        text.push_str(" [");
        text.push_str(why);
        text.push(']');
    }
    for difference in &judged.across {
        text.push_str(" [pooled across ");
        text.push_str(difference);
        text.push(']');
    }
    if let Some(note) = &judged.claim.note {
        text.push_str(" [");
        text.push_str(note);
        text.push(']');
    }
    text
}

/// How many of each verdict: reproduced, differs, not computable.
pub fn counts(judged: &[Judged<'_>]) -> [usize; 3] {
    let mut counts = [0; 3];
    for one in judged {
        let place = match one.verdict {
            Verdict::Reproduced(_) => 0,
            Verdict::Differs(_) => 1,
            Verdict::NotComputable(_) => 2,
        };
        counts[place] += 1;
    }
    counts
}
