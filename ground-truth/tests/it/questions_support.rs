//! Small runs, written down step by step.

use ground_truth::oracle::RunFiles;
use ground_truth::questions::{Pack, Question, QuestionSet, questions};
use jiff::Timestamp;
use serde_json::{Value, json};

/// 2030-01-02T03:00:00Z.
const START: i64 = 1_893_553_200;

/// The transcript of a main thread, growing.
#[derive(Debug, Default)]
pub(crate) struct Script {
    records: Vec<Value>,
    seconds: i64,
}

impl Script {
    /// Lets time pass.
    pub(crate) fn wait(&mut self, seconds: i64) -> &mut Self {
        self.seconds += seconds;
        self
    }

    fn add(&mut self, mut record: Value) -> &mut Self {
        let time = Timestamp::from_second(START + self.seconds).unwrap_or_default();
        record["timestamp"] = json!(time.to_string());
        record["sessionId"] = json!("s");
        self.records.push(record);
        self.wait(1)
    }

    fn user(&mut self, content: &Value) -> &mut Self {
        self.add(json!({"type": "user", "message": {"role": "user", "content": content}}))
    }

    fn agent(&mut self, block: &Value) -> &mut Self {
        let id = format!("m{}-{}", self.records.len(), self.seconds);
        self.add(json!({
            "type": "assistant",
            "message": {
                "id": id,
                "role": "assistant",
                "model": "large-1",
                "content": [block],
                "usage": {"input_tokens": 10, "output_tokens": 250},
            },
        }))
    }

    /// A person writes.
    pub(crate) fn ask(&mut self, text: &str) -> &mut Self {
        self.user(&json!(text))
    }

    /// The agent says something.
    pub(crate) fn say(&mut self, text: &str) -> &mut Self {
        self.agent(&json!({"type": "text", "text": text}))
    }

    /// The agent calls a tool.
    pub(crate) fn call(&mut self, id: &str, tool: &str, input: &Value) -> &mut Self {
        self.agent(&json!({"type": "tool_use", "id": id, "name": tool, "input": input}))
    }

    /// A result.
    pub(crate) fn ok(&mut self, id: &str, text: &str) -> &mut Self {
        self.user(&json!([{"type": "tool_result", "tool_use_id": id, "content": text}]))
    }

    /// A result that is an error.
    pub(crate) fn fail(&mut self, id: &str, text: &str) -> &mut Self {
        let block =
            json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": true});
        self.user(&json!([block]))
    }

    /// The person refuses a call.
    pub(crate) fn deny(&mut self, id: &str) -> &mut Self {
        self.fail(id, "The user doesn't want to proceed with this tool use.")
    }

    /// The run, with the files of subagents.
    pub(crate) fn run(&self, agents: &[(&str, &Script)]) -> RunFiles {
        let mut files = vec![("s.jsonl".to_owned(), self.lines())];
        files.extend(
            agents.iter().map(|(id, script)| (format!("agent-{id}.jsonl"), script.lines())),
        );
        RunFiles::from_bytes(files)
    }

    fn lines(&self) -> Vec<u8> {
        self.records.iter().flat_map(|record| format!("{record}\n").into_bytes()).collect()
    }
}

/// A run that has a truth for every question type.
pub(crate) fn printer_run() -> RunFiles {
    let mut main = Script::default();
    let parser = json!({"file_path": "/repo/src/parser.rs"});
    let printer = json!({"file_path": "/repo/src/printer.rs"});
    let test = json!({"command": "cargo test"});
    main.ask("Please make the parser accept empty lists and add a test for it.")
        .call("c01", "Read", &parser)
        .ok("c01", "fn parse() {}")
        .call("c02", "Edit", &parser)
        .ok("c02", "done")
        .call("c03", "Bash", &test)
        .wait(30)
        .fail(
            "c03",
            "error[E0308]: mismatched types in src/parser.rs line 12, expected Vec, found Option",
        )
        .call("c04", "Edit", &parser)
        .ok("c04", "done")
        .call("c05", "Bash", &test)
        .wait(200)
        .ok("c05", "all tests pass")
        .say("The parser accepts empty lists now.");
    main.wait(600)
        .ask("Now do the same for the printer, and keep the old tests.")
        .call(
            "c06",
            "Task",
            &json!({"description": "look at the printer", "prompt": "Where does it print?"}),
        )
        .wait(60)
        .ok("c06", "In src/printer.rs.")
        .call("c07", "Read", &printer)
        .ok("c07", "fn print() {}")
        .call("c08", "Grep", &json!({"pattern": "print_list", "path": "/repo/src"}))
        .ok("c08", "src/printer.rs")
        .call(
            "c09",
            "Write",
            &json!({"file_path": "/repo/tests/printer.rs", "content": "#[test] fn prints() {}"}),
        )
        .ok("c09", "done")
        .call("c14", "Grep", &json!({"pattern": "write_list"}))
        .ok("c14", "nothing found")
        .call("c10", "Bash", &json!({"command": "rm -rf target"}))
        .deny("c10");
    main.wait(45)
        .ask("Go on, but do not touch the lexer. Run everything again when you are done.")
        .call("c11", "Bash", &test)
        .wait(20)
        .fail("c11", "thread main panicked at tests/printer.rs:9: assertion failed: left == right")
        .call("c12", "Bash", &json!({"command": "cargo test --doc"}))
        .call("c13", "Read", &json!({"file_path": "/repo/README.md"}))
        .say("I am running the documentation tests now; the printer still fails one assertion.");
    let mut agent = Script::default();
    agent
        .wait(700)
        .call("d01", "Read", &json!({"file_path": "/repo/src/lexer.rs"}))
        .ok("d01", "fn lex() {}")
        .say("It prints in src/printer.rs.");
    main.run(&[("a1", &agent)])
}

/// Both packs' questions about a run.
pub(crate) fn both(run: &RunFiles, seed: u64) -> Vec<QuestionSet> {
    let packs = ["monitoring/1", "coverage/1"].map(|name| Pack::named(name).unwrap());
    packs.iter().map(|pack| questions(run, pack, seed)).collect()
}

/// The question of a type.
pub(crate) fn of_type<'a>(sets: &'a [QuestionSet], name: &str) -> &'a Question {
    let mut all = sets.iter().flat_map(|set| &set.questions);
    all.find(|question| question.question_type.as_str() == name).unwrap()
}
