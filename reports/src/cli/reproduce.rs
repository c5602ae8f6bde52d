//! `reproduce`: every claim with its figure and the recomputed one.

use clap::{Args, ValueEnum};
use cli_support::Exit;
use serde::Serialize;

use super::common::{Inputs, print};
use crate::claims::{self, Context, Judged, Verdict};
use crate::tables::Form;

/// Arguments of `reproduce`.
#[derive(Debug, Args)]
#[command(after_help = "\
A claim that differs shows both figures; that is a result, not a failure. Exit status: 0 whatever the
verdicts, 2 if the data cannot be used.")]
pub(crate) struct ReproduceArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// Show only claims with this verdict
    #[arg(long, value_name = "VERDICT")]
    only: Option<Only>,
    /// Output format
    #[arg(long, value_name = "FORM", default_value = "text")]
    form: Form,
    /// Print a JSON list with one object per claim
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    Reproduced,
    Differs,
    NotComputable,
}

impl Only {
    fn takes(self, verdict: &Verdict) -> bool {
        match self {
            Self::Reproduced => matches!(verdict, Verdict::Reproduced(_)),
            Self::Differs => matches!(verdict, Verdict::Differs(_)),
            Self::NotComputable => matches!(verdict, Verdict::NotComputable(_)),
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    says: &'a str,
    r#where: &'a str,
    verdict: &'static str,
    figure: &'a str,
    recomputed: Option<String>,
    why_not: Option<&'a str>,
    from: &'static str,
    pooled_across: &'a [String],
    note: Option<&'a str>,
}

pub(crate) fn run(args: &ReproduceArgs) -> anyhow::Result<Exit> {
    let claims = claims::carried()?;
    let published = args.inputs.published()?;
    let boards = args.inputs.boards()?;
    let context = Context { published: &published, boards: &boards };
    let judged = claims::judge(&claims, &context)?;
    let shown: Vec<&Judged<'_>> =
        judged.iter().filter(|one| args.only.is_none_or(|only| only.takes(&one.verdict))).collect();
    if args.json {
        let lines: Vec<Line<'_>> = shown.iter().map(|one| line(one)).collect();
        print(&format!("{}\n", serde_json::to_string_pretty(&lines)?))?;
        return Ok(Exit::Done);
    }
    let [reproduced, differs, not] = claims::counts(&judged);
    let mut table = claims::as_table(shown.iter().copied());
    table.notes.push(format!(
        "{} of {} claims shown; of all: {reproduced} reproduced, {differs} differ, {not} not \
         computable here",
        shown.len(),
        judged.len(),
    ));
    print(&args.form.table(&table))?;
    Ok(Exit::Done)
}

fn line<'a>(judged: &'a Judged<'_>) -> Line<'a> {
    let claim = judged.claim;
    let why_not = match &judged.verdict {
        Verdict::NotComputable(why) => Some(why.as_str()),
        _ => None,
    };
    Line {
        id: &claim.id,
        says: &claim.says,
        r#where: &claim.place,
        verdict: judged.verdict.name(),
        figure: &claim.figure,
        recomputed: judged.figure().map(ToString::to_string),
        why_not,
        from: claim.compute.basis().name(),
        pooled_across: &judged.across,
        note: claim.note.as_deref(),
    }
}
