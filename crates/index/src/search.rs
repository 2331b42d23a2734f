//! Searching.

use std::collections::HashMap;

use belfry_protocol::search::{Found as Hits, Hit, HitPlace, Role, Search, ShownLine};
use belfry_protocol::transcript::Conversation;
use belfry_transcripts::Found;
use jiff::Timestamp;
use rusqlite::params_from_iter;
use rusqlite::types::Value;

use crate::query::{Conditions, containing, expression, words};
use crate::update::{BELOW_TIME, TITLE};
use crate::{Index, Result, rank, snippet};

/// Hits that are ranked by how well they fit: asking that needs a look at every place of every word. Of more than these the newest are
/// taken.
const RANKED: usize = 1000;
/// Hits of one conversation that are shown; how many more there are is said.
const OF_ONE: usize = 3;

/// Whose hits are shown together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Whose {
    Conversation(i64),
    Session(String),
}

struct Candidate {
    row: i64,
    whose: Whose,
    /// The conversation's key, or the run's.
    key: i64,
    /// Of an entry.
    seq: i64,
    role: i64,
    rank: f64,
}

/// Candidates of one kind.
struct Side {
    candidates: Vec<Candidate>,
    /// Those are all that there are.
    all: bool,
}

impl Index {
    /// The best hits, best first; `now` is what their age is measured from. What is shown of each is read from the agent's file;
    /// where that cannot be read, the hit has no text. Of a session's line only what the index knows is told.
    pub fn search(&self, search: &Search, now: Timestamp) -> Result<Hits> {
        let Some(expression) = expression(&search.text) else { return Ok(Hits::default()) };
        let mut side = self.side(&said(search), &expression, now)?;
        if wants_shown(search) {
            let shown = self.side(&shown(search), &expression, now)?;
            side.candidates.extend(shown.candidates);
            side.all &= shown.all;
        }
        let Side { mut candidates, all } = side;
        candidates.sort_by(|a, b| b.rank.total_cmp(&a.rank).then(b.row.cmp(&a.row)));
        let mut of_each: HashMap<Whose, usize> = HashMap::new();
        for candidate in &candidates {
            *of_each.entry(candidate.whose.clone()).or_default() += 1;
        }
        let mut shown: HashMap<Whose, usize> = HashMap::new();
        candidates.retain(|candidate| {
            let count = shown.entry(candidate.whose.clone()).or_default();
            *count += 1;
            *count <= OF_ONE
        });
        let total = candidates.len();
        let page = candidates.into_iter().skip(search.skip as usize).take(search.limit as usize);
        let typed = words(&search.text);
        let mut hits = Vec::new();
        for candidate in page {
            let more = of_each.get(&candidate.whose).map_or(0, |count| count.saturating_sub(OF_ONE));
            hits.extend(match candidate.whose {
                Whose::Conversation(_) => self.hit(&candidate, more, &typed)?,
                Whose::Session(_) => self.line(&candidate, more, &typed)?,
            });
        }
        Ok(Hits { hits, total: total as u64, more: !all })
    }

    /// The newest candidates, ranked by how well they fit where there are few enough.
    fn side(&self, question: &Question, expression: &str, now: Timestamp) -> Result<Side> {
        let candidates = self.candidates(question, expression, RANKED + 1, false, now)?;
        if candidates.len() > RANKED {
            return Ok(Side { candidates, all: false });
        }
        Ok(Side { candidates: self.candidates(question, expression, RANKED, true, now)?, all: true })
    }

    fn candidates(
        &self,
        question: &Question,
        expression: &str,
        limit: usize,
        fit: bool,
        now: Timestamp,
    ) -> Result<Vec<Candidate>> {
        let (words, from) = (question.words, question.from);
        // In the order of their numbers, which is that of time.
        let select = format!(
            "SELECT {words}.rowid, c.key, {from} WHERE {words} MATCH ? {} ORDER BY {words}.rowid DESC LIMIT {limit}",
            question.conditions.text()
        )
        .replace("FIT", &if fit { format!("-bm25({words})") } else { "1.0".to_owned() });
        let conditions = question.conditions.values.iter().cloned();
        let values = std::iter::once(Value::from(expression.to_owned())).chain(conditions);
        let mut select = self.database.prepare_cached(&select)?;
        let mut rows = select.query(params_from_iter(values))?;
        let mut candidates = Vec::new();
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            let (key, role) = (row.get(1)?, row.get(4)?);
            let age = now.as_millisecond().saturating_sub(number >> BELOW_TIME);
            candidates.push(Candidate {
                row: number,
                whose: row.get::<_, Option<String>>(3)?.map_or(Whose::Conversation(key), Whose::Session),
                key,
                seq: row.get(2)?,
                role,
                rank: rank::rank(row.get(5)?, role, age),
            });
        }
        Ok(candidates)
    }

    /// One line, as it is shown.
    fn line(&self, candidate: &Candidate, more: usize, typed: &[String]) -> Result<Option<Hit>> {
        let select = "SELECT r.session, r.run, r.agent, r.cwd, t.text, t.places FROM shown s JOIN run r ON r.key = s.run JOIN shown_text t ON t.row = s.row
                      WHERE s.row = ?1";
        let row = self.database.query_row(select, [candidate.row], |row| {
            let texts = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
            Ok((texts, row.get::<_, Vec<u8>>(5)?))
        });
        let ([session, run, agent, cwd, text], places): ([String; 5], _) = row?;
        let (Ok(session), Ok(run)) = (session.parse(), run.parse()) else { return Ok(None) };
        // The line that has most of the words, with what followed it.
        let count = |line: &str| {
            let plain = snippet::folded(line);
            typed.iter().filter(|word| plain.contains(word.as_str())).count()
        };
        let lines: Vec<&str> = text.split('\n').collect();
        let best = (0..lines.len()).max_by_key(|at| (count(lines[*at]), std::cmp::Reverse(*at))).unwrap_or(0);
        let (offset, at) = crate::shown::place(&places, best).unwrap_or((0, candidate.row >> BELOW_TIME));
        let line = ShownLine { session, name: String::new(), agent, cwd, alive: false, run, offset };
        Ok(Some(Hit {
            place: HitPlace::Line { line },
            at: Timestamp::from_millisecond(at).unwrap_or_default(),
            role: crate::words::role(candidate.role),
            text: snippet::snippet(&lines[best..].join("\n"), typed),
            more: more as u32,
        }))
    }

    /// One hit, as it is shown. None where what is kept of it cannot be read.
    fn hit(&self, candidate: &Candidate, more: usize, typed: &[String]) -> Result<Option<Hit>> {
        let select =
            "SELECT c.found, c.subagent, c.agent, c.id, c.about FROM conversation c WHERE c.key = ?1";
        let (found, subagent, agent, id, about) =
            self.database.query_row(select, [candidate.key], |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, String>(3)?,
                    row.get::<_, Option<String>>(4)?,
                ))
            })?;
        // A subagent's hit is one of its conversation.
        let conversation = match subagent.as_str() {
            "" => None,
            _ => self.conversation(&agent, &id)?,
        };
        let own = || about.as_deref().and_then(|about| serde_json::from_str::<Conversation>(about).ok());
        let Some(conversation) = conversation.or_else(own) else { return Ok(None) };
        let found: Option<Found> = serde_json::from_str(&found).ok();
        let text = if candidate.seq == TITLE {
            conversation.title.clone()
        } else {
            let entry = found.and_then(|found| {
                belfry_transcripts::entry(&found, candidate.seq.cast_unsigned()).ok().flatten()
            });
            entry.and_then(|entry| crate::words::shown(&entry)).unwrap_or_default()
        };
        Ok(Some(Hit {
            place: HitPlace::Entry {
                conversation: Box::new(conversation),
                subagent: (!subagent.is_empty()).then_some(subagent),
                seq: (candidate.seq != TITLE).then_some(candidate.seq.cast_unsigned()),
            },
            at: Timestamp::from_millisecond(candidate.row >> BELOW_TIME).unwrap_or_default(),
            role: crate::words::role(candidate.role),
            text: snippet::snippet(&text, typed),
            more: more as u32,
        }))
    }
}

/// What is asked of one of the words' tables.
struct Question {
    words: &'static str,
    /// Columns behind the conversation's or run's key: entry, session, role, and how well it fits; and where from.
    from: &'static str,
    conditions: Conditions,
}

/// In conversations.
fn said(search: &Search) -> Question {
    let mut conditions = Conditions::default();
    conditions.add("c.gone = 0", []);
    common(search, "words", &mut conditions);
    conditions.any_of("e.role", search.roles.iter().map(|role| crate::words::number(*role).into()).collect());
    if !search.hidden {
        conditions.add("NOT EXISTS (SELECT 1 FROM hidden h WHERE h.agent = c.agent AND h.id = c.id)", []);
    }
    if let Some(file) = search.file.as_deref().filter(|file| !file.is_empty()) {
        let touched =
            "EXISTS (SELECT 1 FROM file f WHERE f.conversation = c.key AND f.path LIKE ? ESCAPE '\\')";
        conditions.add(touched, [containing(file)]);
    }
    let from = "e.seq, NULL, e.role, FIT FROM words CROSS JOIN entry e ON e.row = words.rowid
                CROSS JOIN conversation c ON c.key = e.conversation";
    Question { words: "words", from, conditions }
}

/// In what terminals showed.
fn shown(search: &Search) -> Question {
    let mut conditions = Conditions::default();
    common(search, "shown_words", &mut conditions);
    let from = "0, c.session, 6, FIT FROM shown_words CROSS JOIN shown s ON s.row = shown_words.rowid
                CROSS JOIN run c ON c.key = s.run";
    Question { words: "shown_words", from, conditions }
}

/// Nothing that a terminal showed is of a file that a conversation changed.
fn wants_shown(search: &Search) -> bool {
    let roles = search.roles.is_empty() || search.roles.contains(&Role::Scrollback);
    search.scrollback && roles && search.file.as_deref().is_none_or(str::is_empty)
}

fn common(search: &Search, words: &str, conditions: &mut Conditions) {
    conditions.any_of("c.agent", search.agents.iter().cloned().map(Into::into).collect());
    conditions.beneath(search.directory.as_deref());
    if let Some(since) = search.since {
        conditions.add(&format!("{words}.rowid >= ?"), [row(since).into()]);
    }
    if let Some(before) = search.before {
        conditions.add(&format!("{words}.rowid < ?"), [row(before).into()]);
    }
}

fn row(at: Timestamp) -> i64 {
    at.as_millisecond().clamp(0, 1 << 42) << BELOW_TIME
}
