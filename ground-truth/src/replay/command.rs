//! What is a command of a command text.

use super::normal::normal_form;

/// The characters that a command must have left.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=200;

/// The pipe before what only shortens an output.
const PIPE: &str = " | ";

/// What only shortens an output.
const SHORTENERS: [&str; 2] = ["tail", "head"];

/// A command: what is left of it, and its whole form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) left: String,
    pub(super) whole: String,
}

/// The command of a command text that has no line feed, if enough of it is left.
pub(super) fn command(text: &str) -> Option<Command> {
    let text = text.trim_matches(|it: char| it.is_ascii_whitespace());
    if text.contains('\n') {
        return None;
    }
    let whole = normal_form(text).trim_matches(' ').to_owned();
    let left = without_shorteners(&without_redirections(without_folders(&whole)));
    LENGTHS.contains(&left.chars().count()).then_some(Command { left, whole })
}

/// The command without leading `cd WORD &&` and `cd WORD ;`.
fn without_folders(command: &str) -> &str {
    let mut rest = command;
    while let Some(after) = after_folder(rest) {
        rest = after;
    }
    rest
}

/// What follows the `cd WORD &&` or `cd WORD ;` that a command starts with.
fn after_folder(command: &str) -> Option<&str> {
    let argument = command.strip_prefix("cd ")?;
    let quoted = |quote: char| Some(argument.strip_prefix(quote)?.split_once(quote)?.1);
    let end = argument.find([' ', ';']).unwrap_or(argument.len());
    let plain = (end > 0).then(|| &argument[end..]);
    let ways = [quoted('"'), quoted('\''), plain];
    ways.into_iter().flatten().find_map(|after| {
        let after = after.trim_start_matches(' ');
        let after = after.strip_prefix("&&").or_else(|| after.strip_prefix(';'))?;
        Some(after.trim_start_matches(' '))
    })
}

/// The parts of a command that are no redirections, joined by single spaces.
fn without_redirections(command: &str) -> String {
    let mut kept = Vec::new();
    let mut parts = command.split(' ').filter(|part| !part.is_empty());
    while let Some(part) = parts.next() {
        match redirection(part) {
            Some(Redirection::Complete) => {}
            Some(Redirection::WithNext) => {
                parts.next();
            }
            None => kept.push(part),
        }
    }
    kept.join(" ")
}

/// What a part redirects to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Redirection {
    /// It says so itself.
    Complete,
    /// The part after it says so.
    WithNext,
}

fn redirection(part: &str) -> Option<Redirection> {
    if is_copy_of_stream(part) {
        return Some(Redirection::Complete);
    }
    match after_arrow(part)? {
        "" => Some(Redirection::WithNext),
        target => (!target.starts_with(['&', '<', '(', '>'])).then_some(Redirection::Complete),
    }
}

/// `[0-9&]?>>?&[0-9-]`
fn is_copy_of_stream(part: &str) -> bool {
    let stream = after_output_arrow(part).and_then(|rest| rest.strip_prefix('&'));
    stream.is_some_and(|it| {
        it.len() == 1 && it.starts_with(|it: char| it.is_ascii_digit() || it == '-')
    })
}

/// What follows `[0-9&]?>>?` or `<`.
fn after_arrow(part: &str) -> Option<&str> {
    after_output_arrow(part).or_else(|| part.strip_prefix('<'))
}

/// What follows `[0-9&]?>>?`.
fn after_output_arrow(part: &str) -> Option<&str> {
    let arrow = part.strip_prefix(|it: char| it.is_ascii_digit() || it == '&').unwrap_or(part);
    let rest = arrow.strip_prefix('>')?;
    Some(rest.strip_prefix('>').unwrap_or(rest))
}

/// "Then, repeatedly, what follows the last ` | ` if its first part is `tail` or `head`."
fn without_shorteners(command: &str) -> String {
    let mut rest = command;
    while let Some((before, after)) = rest.rsplit_once(PIPE)
        && after.split(' ').next().is_some_and(|first| SHORTENERS.contains(&first))
    {
        rest = before;
    }
    rest.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Option<String> {
        command(text).map(|command| command.left)
    }

    #[test]
    fn folders_before_a_command_are_left_out() {
        for text in [
            "cd a && make all",
            "cd a ; make all",
            "cd a; make all",
            "cd a &&make all",
            "cd \"a b\" && make all",
            "cd 'a b'; cd c && make all",
            "cd \"a\"/b && make all",
            " cd\ta  &&  make \\t all ",
        ] {
            assert_eq!(left(text).as_deref(), Some("make all"), "{text}");
        }
        for kept in [
            "cd a || make all",
            "cd && make all",
            "cd a b && make",
            "x && cd a && make",
            "(cd a && make)",
        ] {
            assert_eq!(left(kept).as_deref(), Some(kept));
        }
        assert_eq!(left("cd a && ls"), None, "two characters are left");
    }

    #[test]
    fn redirections_are_left_out_wherever_they_stand() {
        for text in [
            "make 2>&1 all",
            "make all 2>/dev/null >&2",
            "make all > out.txt",
            "make all >>out.txt",
            "make 2>> out.txt all",
            "make all &>out.txt",
            "make all < in.txt >&-",
            "make <in.txt all >",
        ] {
            assert_eq!(left(text).as_deref(), Some("make all"), "{text}");
        }
        for kept in [
            "cat <<EOF",
            "cat <(ls)",
            "make >&x",
            "make 2>&1;",
            "make 12>x",
            "make x>y",
            "f >>>x",
            "f >(y)",
            "a => b",
        ] {
            assert_eq!(left(kept).as_deref(), Some(kept));
        }
        assert_eq!(left("cat << EOF").as_deref(), Some("cat << EOF"));
    }

    #[test]
    fn what_shortens_an_output_is_left_out() {
        assert_eq!(left("make all 2>&1 | head -50 | tail -5").as_deref(), Some("make all"));
        assert_eq!(left("make all | tail -5 && x").as_deref(), Some("make all"));
        for kept in [
            "a | tailor",
            "make | grep x | wc -l",
            "tail -5 a.log",
            "make |tail",
            "make | tail | cat",
        ] {
            assert_eq!(left(kept).as_deref(), Some(kept));
        }
    }

    #[test]
    fn a_command_is_one_line_of_4_to_200_characters() {
        assert_eq!(left("make\nmake all"), None);
        assert_eq!(left("\n make \n").as_deref(), Some("make"));
        assert_eq!(left("ééé"), None);
        assert_eq!(left(&"é".repeat(200)).map(|it| it.chars().count()), Some(200));
        assert_eq!(left(&"é".repeat(201)), None);
        let whole = command(" cd a && make all 2>&1 | tail ").map(|it| it.whole);
        assert_eq!(whole.as_deref(), Some("cd a && make all 2>&1 | tail"));
    }
}
