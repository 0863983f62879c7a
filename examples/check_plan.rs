//! Checks the memory plan of a program, by the C interface, which is declared here:
//!
//!   rustc check_plan.rs -l pteproof -o check_plan
//!   ./check_plan model.pte
use std::ffi::{c_char, c_void, CString};
use std::process::ExitCode;

#[repr(C)]
struct Call {
    _private: [u8; 0],
}

#[repr(C)]
struct Bytes {
    data: *const u8,
    size: usize,
}

impl Bytes {
    /// What the call holds, copied: it goes with the call.
    fn text(&self) -> String {
        if self.size == 0 {
            return String::new();
        }
        let bytes = unsafe { std::slice::from_raw_parts(self.data, self.size) };
        String::from_utf8_lossy(bytes).into_owned()
    }
}

extern "C" {
    fn pteproof_call_make(
        options: *const c_char, size: usize, settings: *const c_void, call: *mut *mut Call,
    ) -> i32;
    fn pteproof_call_lend(call: *mut Call, name: *const c_char, data: *const c_void, size: usize) -> i32;
    fn pteproof_call_run(call: *mut Call) -> i32;
    fn pteproof_call_output(call: *const Call) -> Bytes;
    fn pteproof_call_complaints(call: *const Call) -> Bytes;
    fn pteproof_call_free(call: *mut Call);
}

/// The exit code of `pteproof check`, and what it prints.
fn check(data: &[u8]) -> (i32, String, String) {
    let options = r#"{"verb": "check", "files": "<model>", "policy": "share-all"}"#;
    let name = CString::new("<model>").unwrap();
    let mut call = std::ptr::null_mut();
    unsafe {
        let mut code =
            pteproof_call_make(options.as_ptr().cast(), options.len(), std::ptr::null(), &mut call);
        if code == 0 {
            code = pteproof_call_lend(call, name.as_ptr(), data.as_ptr().cast(), data.len());
        }
        if code == 0 {
            code = pteproof_call_run(call);
        }
        let (output, complaints) = (pteproof_call_output(call), pteproof_call_complaints(call));
        let ended = (code, output.text(), complaints.text());
        pteproof_call_free(call);
        ended
    }
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: check_plan MODEL.pte");
        return ExitCode::from(64);
    };
    let Ok(data) = std::fs::read(&path) else {
        eprintln!("check_plan: '{path}' cannot be read");
        return ExitCode::from(66);
    };
    let (code, output, complaints) = check(&data);
    print!("{output}");
    eprint!("{complaints}");
    ExitCode::from(code as u8)
}
