//! What changes within a run: folder, branch, model, permission mode.

use super::stage::Stage;
use crate::json;
use crate::session::tools::Input;
use crate::text::names::kebab;

/// Models that a person may switch to.
const MODELS: [&str; 3] =
    ["claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929", "claude-opus-4-1-20250805"];
/// Permission modes.
const MODES: [&str; 4] = ["plan", "acceptEdits", "default", "bypassPermissions"];

impl Stage {
    /// The agent works in a worktree, and leaves it again or not.
    pub(crate) fn worktree(&mut self) {
        self.ask();
        let name = kebab(&mut self.worker.text);
        let (cwd, branch) =
            (self.worker.rec.client.cwd.clone(), self.worker.rec.client.branch.clone());
        let root = cwd.split("/.claude/").next().unwrap_or(&cwd).to_owned();
        let path = format!("{root}/.claude/worktrees/{name}");
        let pending = self.call("EnterWorktree", Input::default().s("name", &name));
        let extra = json::built(|o| {
            o.s("worktreePath", &path);
            o.s("worktreeBranch", &format!("worktree-{name}"));
        });
        self.says(&pending, &format!("Created worktree at {path}."), extra);
        self.worker.rec.client.cwd = path;
        self.worker.rec.client.branch = format!("worktree-{name}");
        self.work(3);
        if self.worker.draw.chance(1, 2) {
            let pending = self.call("ExitWorktree", Input::default().s("action", "keep"));
            self.says(&pending, "Left the worktree.", json::built(|o| o.s("action", "keep")));
            self.worker.rec.client.cwd = cwd;
            self.worker.rec.client.branch = branch;
        }
        self.conclude();
    }

    pub(crate) fn other_branch(&mut self) {
        self.ask();
        let branch = format!("fix/{}", kebab(&mut self.worker.text));
        let input = Input::default().s("command", &format!("git switch -c {branch}"));
        let pending = self.call("Bash", input);
        let text = format!("Switched to a new branch '{branch}'");
        let extra = json::built(|o| {
            o.s("stdout", "");
            o.s("stderr", &text);
            o.b("interrupted", false);
        });
        self.says(&pending, &text, extra);
        self.worker.rec.client.branch = branch;
        self.work(2);
        self.conclude();
    }

    pub(crate) fn other_model(&mut self) {
        let now = self.worker.models[0].clone();
        let others: Vec<&str> = MODELS.into_iter().filter(|model| *model != now).collect();
        (*self.worker.draw.pick(&others)).clone_into(&mut self.worker.models[0]);
        self.turn();
    }

    pub(crate) fn other_mode(&mut self) {
        let now = self.worker.rec.client.mode;
        let others: Vec<&'static str> = MODES.into_iter().filter(|mode| *mode != now).collect();
        self.worker.rec.client.mode = *self.worker.draw.pick(&others);
        // A separate record says so, or the next prompt does.
        if self.worker.draw.chance(1, 2) {
            self.worker.rec.mode_note();
        }
        self.turn();
    }
}
