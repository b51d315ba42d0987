//! Defines the problems that a check finds in a pack, a curriculum or a coding problem.

use std::fmt;

use serde::{Serialize, Serializer};

/// A problem of a file: what is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackProblem {
    pub code: ProblemCode,
    pub severity: Severity,
    /// The line, counted from 1; 0 stands for the whole file.
    pub line: u64,
    pub column: u64,
    pub message: String,
    pub cure: String,
}

impl fmt::Display for PackProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PackProblem { code, severity, line, column, message, cure } = self;
        write!(f, "{line}:{column}: {severity} {}: {message} ({cure})", code.id())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The file is refused.
    Error,
    /// The file works, but a person should look at it.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

macro_rules! codes {
    ($($name:ident = $id:literal,)*) => {
        /// The kinds of problems. An id is never reused for something else.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ProblemCode { $($name,)* }

        impl ProblemCode {
            pub fn id(self) -> &'static str {
                match self { $(ProblemCode::$name => $id,)* }
            }
        }
    };
}

codes! {
    TooLarge = "P001",
    NotUtf8 = "P002",
    NotYaml = "P003",
    WrongShape = "P004",
    UnknownKey = "P005",
    MissingField = "P006",
    EmptyField = "P007",
    TooLong = "P008",
    WrongCount = "P009",
    ControlCharacter = "P010",
    BadId = "P011",
    NotTheFileName = "P012",
    BadLanguageTag = "P013",
    DuplicateId = "P014",
    DuplicateText = "P015",
    NoTarget = "P016",
    SlotWithoutFill = "P017",
    FillWithoutSlot = "P018",
    AnswerMissesItem = "P019",
    ExampleMissesItem = "P020",
    WordNotTaught = "P021",
    AliasIsAnotherItem = "P022",
    MixedScripts = "P023",
    FillTooLongForSlot = "P024",
    BadNumber = "P025",
    UnknownForm = "P026",
    UnknownConcept = "P027",
    NeedCycle = "P028",
    NeedTwice = "P029",
    RightOptionCount = "P030",
    BlankCount = "P031",
    AnswerMissesIdea = "P032",
    AnswerHoldsMisconception = "P033",
    FewQuestions = "P034",
    UncheckedLine = "P035",
    NoSuchChoice = "P036",
    FillerWithoutChoice = "P037",
    NeverIsFiller = "P038",
    UnknownWord = "P039",
    LooseWording = "P040",
    BadType = "P041",
    NotOfType = "P042",
    NoFunction = "P043",
    FewTests = "P044",
    BadSlot = "P045",
    UnknownPattern = "P046",
    HintTellsPattern = "P047",
    TestTwice = "P048",
    BrokenTree = "P049",
    HintIsCode = "P050",
}

impl ProblemCode {
    pub fn severity(self) -> Severity {
        use ProblemCode::*;
        match self {
            MixedScripts | SlotWithoutFill | FillWithoutSlot | UncheckedLine | FillerWithoutChoice => {
                Severity::Warning
            }
            NeedTwice | FewQuestions | LooseWording | TestTwice => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl Serialize for ProblemCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}
