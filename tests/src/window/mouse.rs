//! The mouse, through xdotool, and where things are for it.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Desk, Driven};

impl Desk {
    /// Moves the mouse to a place on the screen.
    pub fn point(&self, (x, y): (i64, i64)) -> Result<()> {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]).map(drop)
    }

    /// Clicks there, with a key held down where one is named.
    pub fn click_at(&self, place: (i64, i64), held: Option<&str>) -> Result<()> {
        self.point(place)?;
        match held {
            None => self.xdotool(&["click", "1"]),
            Some(key) => self.xdotool(&["keydown", key, "click", "1", "keyup", key]),
        }
        .map(drop)
    }

    /// Presses or releases the left button.
    pub fn hold_button(&self, down: bool) -> Result<()> {
        self.xdotool(&[if down { "mousedown" } else { "mouseup" }, "1"]).map(drop)
    }

    /// Drags from the first of these places over all of them, at a pace, and lets go at the last.
    pub fn drag_along(&self, places: &[(i64, i64)], pace: Duration) -> Result<()> {
        let pace = pace.as_secs_f64().to_string();
        let mut steps: Vec<String> = Vec::new();
        for (at, (x, y)) in places.iter().enumerate() {
            steps.extend(["mousemove".to_owned(), x.to_string(), y.to_string()]);
            if at == 0 {
                steps.extend(["mousedown".to_owned(), "1".to_owned()]);
            }
            steps.extend(["sleep".to_owned(), pace.clone()]);
        }
        steps.extend(["mouseup".to_owned(), "1".to_owned()]);
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        self.xdotool(&steps).map(drop)
    }
}

impl Driven {
    /// Where the middle of an element is on the screen.
    pub async fn middle_of(&self, desk: &Desk, selector: &str) -> Result<(i64, i64)> {
        self.select(selector).await?;
        let script = "const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
            return [left + width / 2, top + height / 2]";
        let place = self.eval_with(script, vec![json!(selector)]).await?;
        self.on_screen(desk, &place).await
    }

    /// A place in the page, as a pair of numbers, on the screen.
    pub async fn on_screen(&self, desk: &Desk, place: &Value) -> Result<(i64, i64)> {
        let origin = desk.window_place("Belfry")?;
        let (width, _) = desk.window_size("Belfry")?;
        // A page can be drawn larger than its own pixels.
        let inside = self.eval("return innerWidth").await?.as_f64().context("no width")?;
        let number = |at: usize| -> Result<i64> {
            let number = place[at].as_f64().with_context(|| format!("no place: {place}"))?;
            Ok((number * f64::from(width) / inside).round() as i64)
        };
        Ok((origin.0 + number(0)?, origin.1 + number(1)?))
    }
}
