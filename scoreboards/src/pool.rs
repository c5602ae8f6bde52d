//! Pools rows of several cells into one aggregate, and refuses where the cells are not alike.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::aggregate::{AggregateSpec, Group};
use crate::evaluate::{AggregateError, evaluate};
use crate::provenance::Instrument;
use crate::row::Row;
use crate::schema::Scoreboard;
use crate::value::Outcome;

/// Something in which cells may differ only if it is asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolAxis {
    /// The renderer: name, version or fingerprint.
    Renderer,
    /// A protocol setting.
    Protocol,
    /// The rule set of a grader.
    Grader,
    /// The question pack.
    QuestionPack,
    /// The reader or worker: role, provider or model.
    Answerer,
    /// The price table.
    Prices,
    /// The cells' own labels.
    Labels,
}

impl PoolAxis {
    /// Its name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Renderer => "renderer",
            Self::Protocol => "protocol",
            Self::Grader => "grader",
            Self::QuestionPack => "question pack",
            Self::Answerer => "reader or worker",
            Self::Prices => "prices",
            Self::Labels => "labels",
        }
    }
}

impl fmt::Display for PoolAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which differences a pool may span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PoolAcross {
    /// None: the cells must be alike.
    Nothing,
    /// These, and the result says so.
    Named(Vec<PoolAxis>),
}

/// The rows of one group in one scoreboard.
#[derive(Debug, Clone)]
pub struct Cell<'a> {
    /// The scoreboard.
    pub board: &'a Scoreboard,
    /// The group.
    pub over: Group,
}

/// What makes two cells the same kind of thing. Each axis is the text that must be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellIdentity {
    /// The instrument: cells of two instruments are never pooled.
    pub instrument: Instrument,
    /// Each axis's value, as printed when it differs.
    pub axes: BTreeMap<PoolAxis, String>,
}

impl<'a> Cell<'a> {
    /// The cell of a scoreboard's rows in a group.
    pub fn new(board: &'a Scoreboard, over: Group) -> Self {
        Self { board, over }
    }

    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = &'a Row> {
        let over = self.over.clone();
        self.board.rows.iter().filter(move |row| over.contains(row))
    }

    /// What it is.
    pub fn identity(&self) -> CellIdentity {
        let header = &self.board.provenance;
        let answerer = header.answerer.as_ref().map_or("none".to_owned(), |a| {
            let models: Vec<&str> = a.models_returned.keys().map(String::as_str).collect();
            let (provider, asked) = (&a.provider, &a.model_asked);
            format!("{:?} {provider} {asked} (returned: {})", a.role, models.join(", "))
        });
        let axes = BTreeMap::from([
            (PoolAxis::Renderer, Vec::from_iter(self.stamps()).join(" + ")),
            (PoolAxis::Protocol, settings(&header.protocol)),
            (PoolAxis::Grader, settings(&header.graders)),
            (PoolAxis::QuestionPack, header.question_pack.clone().unwrap_or("none".into())),
            (PoolAxis::Answerer, answerer),
            (PoolAxis::Prices, header.price_table.map_or("none".into(), |d| d.to_string())),
            (PoolAxis::Labels, self.over.to_string()),
        ]);
        CellIdentity { instrument: header.instrument, axes }
    }

    /// The renderers of its rows, each in full.
    fn stamps(&self) -> BTreeSet<String> {
        self.rows()
            .map(|row| match &row.renderer {
                None => "none".to_owned(),
                Some(name) => self
                    .board
                    .provenance
                    .renderers
                    .get(name)
                    .map_or_else(|| format!("{name} (undescribed)"), ToString::to_string),
            })
            .collect()
    }
}

fn settings(map: &BTreeMap<String, String>) -> String {
    let settings: Vec<String> = map.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if settings.is_empty() { "none".to_owned() } else { settings.join(" ") }
}

/// Why cells were not pooled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// There is nothing to pool.
    #[error("no cells to pool: name at least one")]
    NoCells,
    /// Two instruments.
    #[error("cells of {0} and {1} measure different things and are never pooled")]
    Instruments(Instrument, Instrument),
    /// The cells differ where they may not. All differences are listed.
    #[error("the cells differ in {}: pool across them by name, or not at all", list(.0))]
    Differ(Vec<(PoolAxis, String, String)>),
    /// One row would count twice.
    #[error("row `{row}` of scoreboard {board} is in two of the cells: it would count twice")]
    Twice {
        /// The row.
        row: String,
        /// The scoreboard.
        board: String,
    },
    /// The aggregate cannot be computed.
    #[error(transparent)]
    Aggregate(#[from] AggregateError),
}

fn list(differences: &[(PoolAxis, String, String)]) -> String {
    let items: Vec<String> =
        differences.iter().map(|(axis, a, b)| format!("{axis} ({a} / {b})")).collect();
    items.join(", ")
}

/// A pooled aggregate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pooled {
    /// The result.
    pub outcome: Outcome,
    /// Ids of the scoreboards, in the order given.
    pub boards: Vec<String>,
    /// In what the cells differ although they are pooled; to be printed with the result.
    pub pooled_across: Vec<PoolAxis>,
    /// What else a reader must know.
    pub notes: Vec<String>,
}

/// Computes an aggregate over the rows of several cells. (The declaration's own group is ignored:
/// the cells say which rows.)
///
/// Refused if the cells differ in any [`PoolAxis`] that `across` does not name.
pub fn pool(
    cells: &[Cell<'_>],
    spec: &AggregateSpec,
    across: &PoolAcross,
) -> Result<Pooled, PoolError> {
    let (first, others) = cells.split_first().ok_or(PoolError::NoCells)?;
    let differences = differences(first, others)?;
    let allowed: &[PoolAxis] = match across {
        PoolAcross::Nothing => &[],
        PoolAcross::Named(axes) => axes,
    };
    let refused: Vec<_> =
        differences.iter().filter(|(axis, ..)| !allowed.contains(axis)).cloned().collect();
    if !refused.is_empty() {
        return Err(PoolError::Differ(refused));
    }
    check_once(cells)?;
    let mut axes: BTreeSet<PoolAxis> = differences.iter().map(|(axis, ..)| *axis).collect();
    // One cell may mix renderers in itself; that too must be asked for, and said.
    if allowed.contains(&PoolAxis::Renderer) && cells.iter().any(|c| c.stamps().len() > 1) {
        axes.insert(PoolAxis::Renderer);
    }
    let pooled_across: Vec<PoolAxis> = axes.into_iter().collect();
    let mut over_cells = spec.clone();
    over_cells.over = Group::all();
    over_cells.pooled_across.extend(&pooled_across);
    let outcome = evaluate(cells.iter().flat_map(Cell::rows), &over_cells)?;
    let boards = cells.iter().map(|cell| cell.board.id.clone()).collect();
    Ok(Pooled { outcome, boards, notes: notes(cells, &differences), pooled_across })
}

/// In what each other cell differs from the first.
fn differences(
    first: &Cell<'_>,
    others: &[Cell<'_>],
) -> Result<Vec<(PoolAxis, String, String)>, PoolError> {
    let base = first.identity();
    let mut found = Vec::new();
    for other in others {
        let other = other.identity();
        if other.instrument != base.instrument {
            return Err(PoolError::Instruments(base.instrument, other.instrument));
        }
        for (axis, value) in &base.axes {
            let difference = (*axis, value.clone(), other.axes[axis].clone());
            if difference.1 != difference.2 && !found.contains(&difference) {
                found.push(difference);
            }
        }
    }
    Ok(found)
}

fn check_once(cells: &[Cell<'_>]) -> Result<(), PoolError> {
    let mut seen = BTreeSet::new();
    for cell in cells {
        for row in cell.rows() {
            if !seen.insert((&cell.board.id, &row.id)) {
                let (row, board) = (row.id.clone(), cell.board.short_id().to_owned());
                return Err(PoolError::Twice { row, board });
            }
        }
    }
    Ok(())
}

fn notes(cells: &[Cell<'_>], differences: &[(PoolAxis, String, String)]) -> Vec<String> {
    let mut notes: Vec<String> =
        differences.iter().map(|(axis, a, b)| format!("pooled across {axis}: {a} / {b}")).collect();
    let versions: BTreeSet<&str> =
        cells.iter().map(|cell| cell.board.provenance.code_version.as_str()).collect();
    if versions.len() > 1 {
        let versions: Vec<&str> = versions.into_iter().collect();
        notes.push(format!("code versions: {}", versions.join(", ")));
    }
    let mut ids: BTreeMap<&str, u64> = BTreeMap::new();
    for row in cells.iter().flat_map(Cell::rows) {
        *ids.entry(&row.id).or_default() += 1;
    }
    let repeated = ids.values().filter(|&&times| times > 1).count();
    if repeated > 0 {
        notes.push(format!("{repeated} of {} items were measured more than once", ids.len()));
    }
    notes
}
