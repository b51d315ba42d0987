//! The one runtime of all models, loaded when the first of them is.

use crate::Trouble;
use crate::packages::Folder;
use ort::environment::Environment;
use ort::ep::CPU;
use ort::logging::LogLevel;
use ort::session::builder::SessionBuilder;
use ort::session::{Session, SessionInputValue, SessionOutputs};
use ort::value::{DynValue, Tensor};
use std::borrow::Cow;
use std::path::Path;
use std::sync::{Once, OnceLock};

/// Two cores are usual, and the microphone needs some of one.
const THREADS: usize = 2;

/// The runtime's environment. It is made once in a process.
#[derive(Clone)]
pub struct Runtime {
    environment: Environment,
    pub folder: Folder,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Runtime {
    /// Loads the runtime from the packages that were set up.
    pub fn load(folder: &Folder) -> Result<Runtime, Trouble> {
        static ENVIRONMENT: OnceLock<Result<Environment, Trouble>> = OnceLock::new();
        let library = folder.file("onnxruntime", "libonnxruntime")?;
        let environment = ENVIRONMENT.get_or_init(|| environment(&library)).clone()?;
        Ok(Runtime { environment, folder: folder.clone() })
    }

    pub(super) fn model(&self, name: &'static str, path: &Path) -> Result<Model, Trouble> {
        self.build(name, THREADS, |builder| builder.commit_from_file(path))
    }

    /// A model that is done within a millisecond. A second thread would wait for it and keep a core busy.
    pub(super) fn small_model(&self, name: &'static str, path: &Path) -> Result<Model, Trouble> {
        self.build(name, 1, |builder| builder.commit_from_file(path))
    }

    pub(super) fn small_model_of(&self, name: &'static str, bytes: &[u8]) -> Result<Model, Trouble> {
        self.build(name, 1, |builder| builder.commit_from_memory(bytes))
    }

    fn build(
        &self,
        name: &'static str,
        threads: usize,
        commit: impl FnOnce(&mut SessionBuilder) -> ort::Result<Session>,
    ) -> Result<Model, Trouble> {
        let build = || -> Result<Session, Box<dyn std::error::Error>> {
            // Memory that was needed once is given back: a recording should not stay in it.
            let processor = CPU::default().with_arena_allocator(false).build();
            let builder = Session::builder(&self.environment)?;
            let builder = builder.with_intra_threads(threads).map_err(|error| error.to_string())?;
            let builder = builder.with_memory_pattern(false).map_err(|error| error.to_string())?;
            let builder = builder.with_log_level(LogLevel::Error).map_err(|error| error.to_string())?;
            let mut builder =
                builder.with_execution_providers([processor]).map_err(|error| error.to_string())?;
            Ok(commit(&mut builder)?)
        };
        let session = allocator::loading(build).map_err(|error| Trouble::engine(name, error))?;
        Ok(Model { name, session })
    }
}

fn environment(library: &Path) -> Result<Environment, Trouble> {
    let failed = |error: &dyn std::fmt::Display| {
        Trouble::new(
            format!("the runtime of the models cannot be loaded: {error}"),
            "run `etude voice setup` again; `etude voice --text` works without it",
        )
    };
    report_nothing();
    let builder = ort::init_from(library).map_err(|error| failed(&error))?;
    builder.with_name("etude").with_telemetry(false).build().map_err(|error| failed(&error))
}

/// Keeps the runtime from reporting. It would make an identifier for this machine, note in the home folder how it is used,
/// and send that to those who made it; its option against that comes too late. A program calls this before its first
/// thread starts.
#[expect(unsafe_code, reason = "a variable belongs to the whole process")]
pub fn report_nothing() {
    static DONE: Once = Once::new();
    // SAFETY: no other thread reads variables meanwhile, because none has started.
    DONE.call_once(|| unsafe { std::env::set_var("ORT_DISABLE_TELEMETRY", "1") });
}

/// Where memory comes from. The runtime is written in another language and uses the system's allocator.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "only the allocator can do it")]
mod allocator {
    use libc::{M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, c_int, malloc_trim, mallopt};
    use std::sync::atomic::{AtomicI32, Ordering};

    /// A block of this size, in bytes, can be given back by itself.
    const WEIGHTS: c_int = 128 << 10;
    /// While a model runs, its blocks come from memory that it had before: new pages would take a third of the time.
    const NEVER: c_int = 32 << 20;
    const MOST_FREE: c_int = 256 << 20;

    /// From how many places blocks come while models run. Zero is as usual: a few for each processor.
    static PLACES: AtomicI32 = AtomicI32::new(0);

    /// Lets all blocks come from one place, whose free memory can always be given back: 40 MB less. For a program that does
    /// one thing at a time; it has to say so before its first thread starts.
    pub fn spare_memory() {
        PLACES.store(1, Ordering::Relaxed);
        // SAFETY: it takes no pointer, and changes only where later blocks come from.
        unsafe { mallopt(M_ARENA_MAX, 1) };
    }

    /// Gives back the memory that loading or running a model has left over. The allocator would keep 40 MB of it.
    pub(crate) fn give_back() {
        // SAFETY: it takes no pointer, and may be called by any thread at any time.
        unsafe { malloc_trim(0) };
    }

    /// Loads a model. That makes and frees many blocks, and those that stay would keep the others: 60 MB.
    pub(super) fn loading<T>(load: impl FnOnce() -> T) -> T {
        set(WEIGHTS, 1);
        let loaded = load();
        set(NEVER, PLACES.load(Ordering::Relaxed));
        give_back();
        loaded
    }

    /// From which size on blocks are mapped one by one, and from how many places smaller ones come.
    fn set(mapped: c_int, places: c_int) {
        // SAFETY: they take no pointers, and change only where later blocks come from.
        unsafe {
            mallopt(M_MMAP_THRESHOLD, mapped);
            mallopt(M_TRIM_THRESHOLD, MOST_FREE);
            mallopt(M_ARENA_MAX, places);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod allocator {
    pub fn spare_memory() {}

    pub(crate) fn give_back() {}

    pub(super) fn loading<T>(load: impl FnOnce() -> T) -> T {
        load()
    }
}

pub(crate) use allocator::give_back;
pub use allocator::spare_memory;

/// One model.
#[derive(Debug)]
pub(super) struct Model {
    name: &'static str,
    session: Session,
}

pub(super) type Input<'v> = (Cow<'v, str>, SessionInputValue<'v>);

impl Model {
    pub(super) fn run<'s>(&'s mut self, inputs: Vec<Input<'_>>) -> Result<SessionOutputs<'s>, Trouble> {
        let name = self.name;
        self.session.run(inputs).map_err(|error| Trouble::engine(name, error))
    }
}

pub(super) fn floats(
    name: &'static str,
    shape: &[usize],
    values: Vec<f32>,
) -> Result<Input<'static>, Trouble> {
    let tensor = Tensor::from_array((shape, values)).map_err(|error| Trouble::engine(name, error))?;
    Ok((name.into(), tensor.into()))
}

pub(super) fn integers(
    name: &'static str,
    shape: &[usize],
    values: Vec<i64>,
) -> Result<Input<'static>, Trouble> {
    let tensor = Tensor::from_array((shape, values)).map_err(|error| Trouble::engine(name, error))?;
    Ok((name.into(), tensor.into()))
}

/// The values of an output.
pub(super) fn output<'o>(outputs: &'o SessionOutputs<'_>, name: &'static str) -> Result<&'o [f32], Trouble> {
    let value = outputs.get(name).ok_or_else(|| Trouble::engine(name, "the model has no such output"))?;
    Ok(value.try_extract_tensor::<f32>().map_err(|error| Trouble::engine(name, error))?.1)
}

/// What a decoder remembers of the tokens before, by the names of its inputs.
pub(super) type Cache = Vec<(String, DynValue)>;

/// An empty memory of a decoder with this many layers, heads and numbers per head.
pub(super) fn empty_cache(layers: usize, heads: usize, width: usize) -> Result<Cache, Trouble> {
    let mut cache = Vec::new();
    for layer in 0..layers {
        for part in ["decoder.key", "decoder.value", "encoder.key", "encoder.value"] {
            let empty = Tensor::from_array(([1, heads, 0, width], Vec::<f32>::new()));
            let empty = empty.map_err(|error| Trouble::engine("a decoder", error))?;
            cache.push((format!("past_key_values.{layer}.{part}"), empty.into_dyn()));
        }
    }
    Ok(cache)
}

/// Takes over what a decoder remembers. What it knows of the sound is computed once, with the first token.
pub(super) fn update(cache: &mut Cache, outputs: &mut SessionOutputs<'_>, is_first: bool) {
    for (name, value) in cache.iter_mut().filter(|(name, _)| is_first || name.contains("decoder")) {
        if let Some(present) = outputs.remove(name.replace("past_key_values", "present")) {
            *value = present;
        }
    }
}

pub(super) fn cached(cache: &Cache) -> impl Iterator<Item = Input<'_>> {
    cache.iter().map(|(name, value)| (Cow::from(name.as_str()), SessionInputValue::from(value)))
}

/// Whether the decoder uses what it remembers.
pub(super) fn uses_cache(yes: bool) -> Result<Input<'static>, Trouble> {
    let tensor = Tensor::from_array(([1], vec![yes])).map_err(|error| Trouble::engine("a decoder", error))?;
    Ok(("use_cache_branch".into(), tensor.into()))
}

/// The place of the largest number.
pub(super) fn largest(values: &[f32]) -> usize {
    let larger = |a: &(usize, f32), b: &(usize, f32)| a.1.total_cmp(&b.1);
    values.iter().copied().enumerate().max_by(larger).map_or(0, |(at, _)| at)
}
