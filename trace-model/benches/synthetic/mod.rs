//! The synthetic transcript of the benchmarks.

/// About how many bytes a call and its result have.
pub(crate) const CALL_BYTES: usize = 1_900;

/// A transcript of reads and edits with distinct ids, from which nothing is a duplicate.
pub(crate) fn synthetic(bytes: usize, first: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes + 8192);
    let lines = (0..60).map(|n| format!("   {n}\\tlet value_{n} = {n};\\n"));
    let text = lines.collect::<Vec<_>>().concat();
    let mut at = first;
    while out.len() < bytes {
        let time =
            format!("2030-01-02T{:02}:{:02}:{:02}.000Z", at / 3600 % 24, at / 60 % 60, at % 60);
        let line = format!(
            r#"{{"type":"assistant","uuid":"a{at}","parentUuid":"u{at}","timestamp":"{time}","sessionId":"s","message":{{"id":"m{at}","role":"assistant","model":"claude-sonnet-4-5","content":[{{"type":"tool_use","id":"t{at}","name":"Read","input":{{"file_path":"src/f{}.rs"}}}}],"usage":{{"input_tokens":3,"output_tokens":80,"cache_read_input_tokens":9000}}}},"requestId":"r{at}"}}
{{"type":"user","uuid":"u{}","parentUuid":"a{at}","timestamp":"{time}","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{at}","content":"{text}"}}]}}}}
"#,
            at % 50,
            at + 1,
        );
        out.extend_from_slice(line.as_bytes());
        at += 1;
    }
    out
}
