//! Choosing some of many transcripts: the largest, or a seeded sample.

use std::fs;
use std::num::NonZeroUsize;

use chacha20::ChaCha12Rng;
use clap::Args;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

use super::input::Input;

/// Which of the transcripts found to use.
#[derive(Debug, Clone, Default, Args)]
pub struct Choice {
    /// Use only the N largest of your own transcripts
    #[arg(
        long,
        value_name = "N",
        requires = "transcripts",
        conflicts_with = "sample",
        help_heading = "Inputs"
    )]
    pub largest: Option<NonZeroUsize>,
    /// Use only N of your own transcripts, drawn at random by --seed
    #[arg(long, value_name = "N", requires = "transcripts", help_heading = "Inputs")]
    pub sample: Option<NonZeroUsize>,
}

impl Choice {
    /// The chosen ones in their original order, and a remark if some are left out.
    pub(crate) fn of(&self, inputs: Vec<Input>, seed: u64) -> (Vec<Input>, Option<String>) {
        let all = inputs.len();
        let mut order: Vec<usize> = (0..all).collect();
        let (most, how) = match (self.largest, self.sample) {
            (Some(most), _) => {
                // The sort keeps equal sizes in order.
                order.sort_by_key(|&at| std::cmp::Reverse(size(&inputs[at])));
                (most.get(), "the largest".to_owned())
            }
            (None, Some(most)) => {
                order.shuffle(&mut ChaCha12Rng::seed_from_u64(seed));
                (most.get(), format!("drawn by seed {seed}"))
            }
            (None, None) => return (inputs, None),
        };
        order.truncate(most);
        order.sort_unstable();
        let kept: Vec<Input> = order.into_iter().filter_map(|at| inputs.get(at).cloned()).collect();
        let remark = format!("{} of {all} transcripts were taken: {how}", kept.len());
        (kept, Some(remark))
    }
}

/// Bytes of a transcript's session file. An unreadable one counts as empty; reading it gives the reason.
fn size(input: &Input) -> u64 {
    match input {
        Input::Transcript(path) => fs::metadata(path).map_or(0, |meta| meta.len()),
        Input::Generated(_) | Input::Probe => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn inputs(folder: &std::path::Path) -> Vec<Input> {
        let make = |(at, size): (usize, usize)| {
            let path = folder.join(format!("{at}.jsonl"));
            fs::write(&path, vec![b'x'; size]).expect("the folder can be written");
            Input::Transcript(path)
        };
        [3, 9, 1, 9, 4].into_iter().enumerate().map(make).collect()
    }

    fn names(inputs: &[Input]) -> Vec<String> {
        let name = |input: &Input| match input {
            Input::Transcript(path) => path.file_stem().map(PathBuf::from),
            _ => None,
        };
        inputs.iter().filter_map(name).map(|it| it.display().to_string()).collect()
    }

    #[test]
    fn the_largest_stay_in_order_and_a_remark_says_of_how_many() {
        let folder = tempfile::tempdir().expect("a folder");
        let choice = Choice { largest: NonZeroUsize::new(3), sample: None };
        let (kept, remark) = choice.of(inputs(folder.path()), 1);
        assert_eq!(names(&kept), ["1", "3", "4"]);
        assert_eq!(remark.as_deref(), Some("3 of 5 transcripts were taken: the largest"));
    }

    #[test]
    fn a_sample_is_the_same_for_the_same_seed_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let choice = Choice { largest: None, sample: NonZeroUsize::new(2) };
        let draw = |seed| names(&choice.of(inputs(folder.path()), seed).0);
        assert_eq!(draw(7), draw(7));
        assert_eq!(draw(7).len(), 2);
        assert!((0..20).any(|seed| draw(seed) != draw(7)));
        let (all, remark) = Choice::default().of(inputs(folder.path()), 1);
        assert_eq!((all.len(), remark), (5, None));
    }
}
