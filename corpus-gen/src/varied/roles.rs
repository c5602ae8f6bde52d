//! Which session is whose, and which shapes it plays.

/// What a seed's session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A client's transcript; the number tells which shapes it holds.
    Client(usize),
    /// Output of the SDK; the number tells how it ends.
    Stream(usize),
}

/// Which of nine client sessions play a shape, relative to the shape's position.
const TURNS: [usize; 4] = [0, 2, 3, 7];

/// Whether client number `number` (of nine) plays the shape at place `at`.
pub(crate) fn plays(number: usize, at: usize) -> bool {
    TURNS.contains(&((number + 9 - at % 9) % 9))
}

/// Three seeds of any twelve in a row are the SDK's, nine a client's.
pub(crate) fn role(seed: u64) -> Role {
    let of_twelve = crate::rng::to_index(seed % 12);
    if of_twelve % 4 == 1 {
        Role::Stream(of_twelve / 4)
    } else {
        Role::Client(of_twelve - (of_twelve + 2) / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::SHAPES;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn any_twelve_seeds_in_a_row_have_every_role_and_play_every_shape_four_times() {
        for first in [0, 201, u64::MAX - 11] {
            let roles: Vec<Role> = (0..12).map(|n| role(first + n)).collect();
            let numbers: BTreeSet<usize> = roles
                .iter()
                .filter_map(|role| if let Role::Client(n) = role { Some(*n) } else { None })
                .collect();
            assert_eq!(numbers.into_iter().collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
        }
        for at in 0..SHAPES.len() {
            assert_eq!((0..9).filter(|number| plays(*number, at)).count(), 4);
        }
        for number in 0..9 {
            assert!((0..SHAPES.len()).filter(|at| plays(number, *at)).count() > 20);
        }
    }
}
