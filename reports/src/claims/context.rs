//! What claims are judged against: the published figures, and our scoreboards if there are any.

use scoreboards::Scoreboard;

use super::failure::Failure;
use super::operation::Answers;
use crate::cell::{ComprehendCell, ContinueCell, Pooled, pool};
use crate::published::Published;

/// The data behind all operations.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// What was published.
    pub published: &'a Published,
    /// Our scoreboards; empty where none were given.
    pub boards: &'a [Scoreboard],
}

impl<'a> Context<'a> {
    pub(super) fn cell(&self, id: &str) -> Result<&'a ContinueCell, Failure> {
        self.published
            .cells
            .find(id)
            .ok_or_else(|| Failure::Unusable(format!("there is no published cell `{id}`")))
    }

    /// The runs of all these cells. Cells without runs are an error: their means are not evidence.
    pub(super) fn pooled(
        &self,
        ids: &[String],
        across: &[String],
        said: &mut Vec<String>,
    ) -> Result<Pooled<'a>, Failure> {
        let cells = ids.iter().map(|id| self.cell(id)).collect::<Result<Vec<_>, _>>()?;
        if let Some(cell) = cells.iter().find(|cell| cell.runs.is_empty()) {
            return Err(Failure::Unusable(format!("cell `{}` was released without runs", cell.id)));
        }
        let pooled = pool(&cells, across).map_err(|e| Failure::Unusable(e.to_string()))?;
        for difference in &pooled.across {
            if !said.contains(difference) {
                said.push(difference.clone());
            }
        }
        Ok(pooled)
    }

    /// What one reader answered under one condition.
    pub(super) fn answers(&self, of: &Answers) -> Result<&'a ComprehendCell, Failure> {
        let Answers { corpus, reader, condition } = of;
        let is_it = |cell: &&ComprehendCell| {
            cell.corpus == *corpus && cell.reader == *reader && cell.condition == *condition
        };
        self.published.cells.answers.iter().find(is_it).ok_or_else(|| {
            Failure::Unusable(format!("nothing was published of {corpus} {reader} {condition}"))
        })
    }
}
