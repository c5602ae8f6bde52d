//! Where answers are lost: by the representation, which does not hold them, and by the reader, who does not
//! find what it is shown.

use super::{Tables, add, cell, header, types};
use crate::comprehend::args::MECHANICAL;
use crate::comprehend::board::{LOSS, READER_LOSS, by};

impl Tables<'_> {
    pub(super) fn losses(&self, out: &mut String, inputs: &str, pack: &str) {
        let Some(&shown) = self.rule_sets.first() else { return };
        if !self.mechanical {
            return;
        }
        let readers = [(MECHANICAL, LOSS)];
        let model = self.model.map(|model| (model, READER_LOSS));
        let columns: Vec<(&str, &str, &str)> = readers
            .into_iter()
            .chain(model)
            .flat_map(|(reader, loss)| self.conditions.iter().map(move |it| (reader, loss, *it)))
            .collect();
        let short = |loss: &str| if loss == LOSS { "repr." } else { "reader" };
        let headings = columns.iter().map(|(_, loss, condition)| match self.model {
            Some(_) => format!("{} {condition}", short(loss)),
            None => (*condition).to_owned(),
        });
        let header = header(&["question"], headings);
        let row = |title: String, question: Option<&str>| {
            let mut row = vec![title];
            row.extend(columns.iter().map(|(reader, loss, condition)| {
                let group = cell(inputs, pack, (reader, condition));
                let group = match question {
                    Some(question) => group.and("question", question),
                    None => group,
                };
                self.value(&by(shown, loss), &group)
            }));
            row
        };
        let mut rows: Vec<_> =
            types(pack).into_iter().map(|it| row(it.clone(), Some(&it))).collect();
        rows.push(row("all questions".to_owned(), None));
        let reader_loss = match self.model {
            Some(_) => {
                format!("; reader loss, {MECHANICAL} - model (below 0: the model found more)")
            }
            None => String::new(),
        };
        let title = format!(
            "{pack} over {inputs} runs, by {shown}: representation loss, 1 - {MECHANICAL}{reader_loss}"
        );
        add(out, &title, &header, rows);
    }
}
