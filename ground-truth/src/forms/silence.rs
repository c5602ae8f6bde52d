//! Forms of "not stated".

use super::form::FormCollector;

pub(super) fn make(forms: &mut FormCollector) {
    forms.around("not stated");
    forms.no_answer();
    for (kind, text) in SAME {
        forms.same(kind, text);
    }
    for (kind, text) in OTHERS {
        forms.other(kind, text);
    }
}

const SAME: [(&str, &str); 34] = [
    ("capitals", "NOT STATED"),
    ("a full stop", "Not stated."),
    ("bold", "**not stated**"),
    ("brackets", "(not stated)"),
    ("not stated in the trace", "Not stated in the trace."),
    ("not mentioned", "not mentioned"),
    ("not mentioned in the transcript", "Not mentioned in the transcript"),
    ("not specified", "not specified"),
    ("not given", "Not given"),
    ("not available", "not available"),
    ("not provided", "Not provided in the trace"),
    ("the short form", "N/A"),
    ("the short form, small", "n/a"),
    ("unknown", "Unknown"),
    ("unspecified", "unspecified"),
    ("the trace does not say", "The trace does not say."),
    ("the trace does not contain this", "The trace does not contain this."),
    ("the trace doesn't mention it", "The trace doesn\u{2019}t mention it."),
    ("the transcript does not state this", "The transcript does not state this."),
    ("the log does not include that information", "The log does not include that information."),
    ("it is not stated", "It is not stated."),
    ("this is not mentioned", "This is not mentioned anywhere in the trace."),
    ("this information is not available", "This information is not available in the trace."),
    ("there is no information", "There is no information about this in the trace."),
    ("there is no mention", "There is no mention of this."),
    ("no information", "No information available"),
    ("cannot be determined", "Cannot be determined from the trace"),
    ("can't tell", "I can't tell from the trace."),
    ("I don't know", "I don't know."),
    ("two phrases", "Unknown (not stated in the trace)"),
    ("a phrase and its reason", "Not stated; the trace does not mention this."),
    ("not explicitly stated", "Not explicitly stated"),
    ("undisclosed", "undisclosed"),
    ("not known", "It is not known."),
];

const OTHERS: [(&str, &str); 20] = [
    ("a value", "Marina Holt"),
    ("a number", "42"),
    ("unknown inside another statement", "unknown host error"),
    ("not available inside another statement", "not available before Tuesday"),
    ("not known inside another statement", "Marina, not known to the others"),
    ("a guess behind it", "not stated, but probably Marina"),
    ("a guess before it", "Marina (not stated)"),
    ("a guess in a second sentence", "Not stated. I would say Marina."),
    ("a guess with however", "The trace does not say; however, it must be Marina"),
    ("the opposite", "It is stated."),
    ("the trace says so", "The trace says so."),
    ("none", "none"),
    ("no", "no"),
    ("a dash", "-"),
    ("a question mark", "?"),
    ("zero", "0"),
    ("half a phrase", "not"),
    ("the phrase about somebody else", "Marina did not say"),
    ("a quotation of it", "the field reads not available offline"),
    ("unknown as a name's part", "Unknown Pleasures Ltd"),
];
