//! Running another program: no shell, no input, a time limit, and no more output than is sane.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::error::{AgainstError, Batch};

/// Output that is read at most, in bytes.
const MOST: u64 = 256 << 20;

/// Characters shown of a failed program's last output.
const SAID: usize = 400;

/// Grace period for the rest of an exited program's output.
const GRACE: Duration = Duration::from_secs(1);

/// How often to poll whether the program has exited.
const PAUSE: Duration = Duration::from_millis(10);

/// What the program printed when it was run with these session files.
pub(super) fn run(
    program: &Path,
    sessions: &[PathBuf],
    limit: Duration,
) -> Result<Vec<u8>, AgainstError> {
    let batch = || Batch::of(sessions);
    let deadline = Instant::now() + limit;
    let mut child = Command::new(program)
        .args(sessions)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| AgainstError::Start { program: program.to_owned(), source })?;
    let printed = drain(child.stdout.take());
    let said = drain(child.stderr.take());
    let failed =
        |source| AgainstError::Read { program: program.to_owned(), batch: batch(), source };
    let too_long = || AgainstError::TimedOut {
        program: program.to_owned(),
        seconds: limit.as_secs(),
        batch: batch(),
    };
    let Some(status) = wait(&mut child, deadline).map_err(failed)? else {
        stop(&mut child);
        return Err(too_long());
    };
    // A process that it started may hold the output open: that is waited for no longer than for the program itself.
    let left = deadline.saturating_duration_since(Instant::now());
    if !status.success() {
        let said = said.recv_timeout(left.min(GRACE));
        let said = last_words(&said.map(Result::unwrap_or_default).unwrap_or_default());
        return Err(AgainstError::Failed {
            program: program.to_owned(),
            status,
            batch: batch(),
            said,
        });
    }
    let printed = printed.recv_timeout(left.max(GRACE)).map_err(|_| too_long())?.map_err(failed)?;
    if printed.len() as u64 > MOST {
        return Err(AgainstError::TooMuch {
            program: program.to_owned(),
            limit: MOST,
            batch: batch(),
        });
    }
    Ok(printed)
}

/// Reads in the background, so that the program never waits for a reader; what was read comes when all
/// was, or when it is too much.
fn drain(pipe: Option<impl Read + Send + 'static>) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map_or(Ok(0), |pipe| pipe.take(MOST + 1).read_to_end(&mut bytes));
        // The receiver is gone if the program timed out.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

/// How it ended; none if it did not until then.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        thread::sleep(PAUSE);
    }
}

/// It may have ended in this moment: then there is nothing to stop.
fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// The end of a program's output, which holds the reason.
fn last_words(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let text = text.trim();
    let all = text.chars().count();
    match all {
        0 => "nothing".to_owned(),
        _ if all <= SAID => text.to_owned(),
        _ => {
            let end: String = text.chars().skip(all - SAID).collect();
            format!("[the last {SAID} of {all} characters] {end}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_what_was_said_is_told_and_how_much_is_left_out() {
        assert_eq!(last_words(b" \n"), "nothing");
        assert_eq!(last_words(b"no such key\n"), "no such key");
        let long = format!("{}the reason", "x".repeat(1000));
        let told = last_words(long.as_bytes());
        assert!(
            told.starts_with("[the last 400 of 1010 characters] x") && told.ends_with("the reason")
        );
    }
}
