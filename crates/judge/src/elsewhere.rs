//! The judge on systems where it cannot isolate a program. It says so and runs nothing.

use crate::failing::Failing;
use crate::isolation::{Isolation, Layer, Level};
use crate::limits::Limits;
use crate::settings::Settings;
use coaching::judging::{Report, Smallest, Tests, Trace, Verdict};
use serde_json::Value;

const WHY: &str = "programs are run on Linux only, because only there they can be shut in";

#[derive(Debug, Clone)]
pub struct Judge {
    isolation: Isolation,
    languages: Vec<String>,
}

/// Does nothing: other systems have no helper.
pub fn inner() {}

impl Judge {
    pub fn open(settings: Settings) -> Judge {
        let known = crate::language::shipped().into_iter().chain(settings.options.languages);
        let layers = vec![Layer { name: "namespaces", works: false, note: WHY.into() }];
        let isolation = Isolation { level: Level::None, layers, cure: Some("use Etude on Linux".into()) };
        Judge { isolation, languages: known.map(|language| language.name).collect() }
    }

    pub fn of(&self, _: &str) -> Judge {
        self.clone()
    }

    pub fn waiting(&self) -> usize {
        0
    }

    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(String::as_str)
    }

    pub fn missing(&self, _: &str) -> Option<String> {
        Some(WHY.into())
    }

    pub fn run(&self, _: &str, _: &str, _: &Tests, _: &Limits) -> Report {
        self.refused(Verdict::InternalError, WHY)
    }

    pub fn values(&self, _: &str, _: &str, _: &Tests, _: &Limits) -> Result<Vec<Value>, String> {
        Err(WHY.into())
    }

    pub fn smallest(&self, _: &Failing<'_>, _: &Limits) -> Option<Smallest> {
        None
    }

    pub fn refused(&self, verdict: Verdict, message: &str) -> Report {
        let isolation = self.isolation.level.to_string();
        Report { verdict, tests: Vec::new(), isolation, message: Some(message.to_owned()) }
    }

    pub fn trace(
        &self,
        _: &str,
        _: &str,
        _: &str,
        _: &[Value],
        _: &Limits,
    ) -> Result<Trace, (Verdict, String)> {
        Err((Verdict::InternalError, WHY.into()))
    }
}
