//! Projects and groups.

use belfry_protocol::session::{Group, Project};
use belfry_protocol::{GroupId, ProjectId};
use rusqlite::params;

use crate::rows::{Id, from_json, from_word, json, word};
use crate::{Result, Store};

impl Store {
    /// All projects, in their order.
    pub fn projects(&self) -> Result<Vec<Project>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, name, path, position, defaults FROM projects ORDER BY position, id",
        )?;
        let rows = statement.query_map([], |row| {
            let Id(id) = row.get(0)?;
            let defaults = from_json(&row.get::<_, String>(4)?);
            Ok(Project { id, name: row.get(1)?, path: row.get(2)?, position: row.get(3)?, defaults })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds a project or changes it.
    pub fn save_project(&mut self, project: &Project) -> Result<()> {
        self.connection.prepare_cached(
            "INSERT INTO projects (id, name, path, position, defaults) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, path = excluded.path, position = excluded.position,
             defaults = excluded.defaults",
        )?
        .execute(params![Id(project.id), project.name, project.path, project.position, json(&project.defaults)])?;
        Ok(())
    }

    /// Removes a project and its groups; its sessions stay, in none. Says whether it was there.
    pub fn remove_project(&mut self, id: ProjectId) -> Result<bool> {
        Ok(self.connection.execute("DELETE FROM projects WHERE id = ?1", [Id(id)])? > 0)
    }

    /// All groups, in their order.
    pub fn groups(&self) -> Result<Vec<Group>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id, project, parent, name, position, color FROM groups ORDER BY position, id",
        )?;
        let rows = statement.query_map([], |row| {
            let (Id(id), Id(project)) = (row.get(0)?, row.get(1)?);
            let parent = row.get::<_, Option<Id<GroupId>>>(2)?.map(|Id(parent)| parent);
            let color = row.get::<_, Option<String>>(5)?.and_then(|color| from_word(&color));
            Ok(Group { id, project, parent, name: row.get(3)?, position: row.get(4)?, color })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds a group or changes it. Its project, and the group it is in, must be there.
    pub fn save_group(&mut self, group: &Group) -> Result<()> {
        self.connection.prepare_cached(
            "INSERT INTO groups (id, project, parent, name, position, color) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (id) DO UPDATE SET project = excluded.project, parent = excluded.parent, name = excluded.name,
             position = excluded.position, color = excluded.color",
        )?
        .execute(params![Id(group.id), Id(group.project), group.parent.map(Id), group.name, group.position,
            group.color.as_ref().map(word)])?;
        Ok(())
    }

    /// Removes a group. The groups in it, given as they are from now on, and its sessions are in `parent` then.
    pub fn dissolve_group(&mut self, id: GroupId, parent: Option<GroupId>, inside: &[Group]) -> Result<()> {
        inside.iter().try_for_each(|group| self.save_group(group))?;
        self.connection.execute(
            "UPDATE sessions SET group_id = ?2 WHERE group_id = ?1",
            params![Id(id), parent.map(Id)],
        )?;
        self.remove_group(id)?;
        Ok(())
    }

    /// Removes a group and those inside it; their sessions stay, in none. Says whether it was there.
    pub fn remove_group(&mut self, id: GroupId) -> Result<bool> {
        Ok(self.connection.execute("DELETE FROM groups WHERE id = ?1", [Id(id)])? > 0)
    }
}
