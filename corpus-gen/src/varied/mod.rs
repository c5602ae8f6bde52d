//! Varied sessions: what real clients write beside plain work. Each session plays a fixed choice of
//! scenes, one for each shape of the page on definitions, with honest work between them; any twelve
//! seeds in a row play every scene at least three times.

mod agents;
mod branches;
mod calls;
mod commands;
mod cut_off;
mod iterations;
mod notices;
mod odd;
mod places;
mod roles;
mod shapes;
mod stage;
mod stream;
mod tasks;
mod usage;

use crate::profile::Profile;
use crate::run::GeneratedRun;
use crate::session::worker::Ends;
use crate::transcript::client::Layout;

use roles::{Role, plays, role};
use shapes::{Place, SHAPES, Shape};
use stage::Stage;

/// Generates the varied session of a seed.
pub(crate) fn session(seed: u64) -> GeneratedRun {
    let stage = match role(seed) {
        Role::Client(number) => client(seed, number),
        Role::Stream(number) => stream::play(seed, number),
    };
    let name = format!("{}-{seed}", Profile::Varied);
    let folder = format!("sessions/{}", Profile::Varied);
    let group = Profile::Varied.name();
    let mut rec = stage.worker.rec;
    rec.tally.knows_unfinished();
    GeneratedRun::collect(name, &folder, group, seed, rec, None, !seed.is_multiple_of(5))
}

fn client(seed: u64, number: usize) -> Stage {
    let layout = if matches!(number, 2 | 5) { Layout::Classic } else { Layout::Current };
    let mut stage = Stage::new(seed, layout);
    if matches!(number, 1 | 4 | 8) {
        stage.worker.ends = Ends::Never;
        stage.worker.says_least = 400;
    }
    stage.worker.head();
    stage.turn();
    let (shapes, last) = chosen(&mut stage, number);
    for shape in shapes {
        (shape.play)(&mut stage);
        let turns = stage.worker.draw.below(3);
        for _ in 0..turns {
            stage.turn();
        }
    }
    for shape in last {
        (shape.play)(&mut stage);
    }
    if seed.is_multiple_of(2) {
        stage.leave_in_flight();
    }
    stage
}

/// The shapes of a session in the order in which it plays them, and the shapes that end it.
fn chosen(stage: &mut Stage, number: usize) -> (Vec<Shape>, Vec<Shape>) {
    let mine = SHAPES.into_iter().enumerate().filter(|(at, _)| plays(number, *at));
    let (last, mut order): (Vec<Shape>, Vec<Shape>) =
        mine.map(|(_, shape)| shape).partition(|shape| shape.place == Place::End);
    stage.worker.draw.shuffle(&mut order);
    if let Some(at) = order.iter().position(|shape| shape.place == Place::Early) {
        let early = stage.worker.draw.index(order.len() / 3 + 1);
        order.swap(at, early);
    }
    (order, last)
}
