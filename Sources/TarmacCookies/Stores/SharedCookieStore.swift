/// A store whose changes by another jar, also of another process, a jar notices.
package protocol SharedCookieStore: CookieStore {
    /// Returns a text that differs after each change of what is saved. `nil` if it is not known, which counts as no change.
    ///
    /// A jar asks for it at each use.
    func version() -> String?

    /// Applies changes to the saved cookies without another writer in between. If the store has no longer the version, those that
    /// ``CookieChanges/withoutConflicts(with:)`` leaves.
    ///
    /// - Returns: the version after the changes. `nil` if another jar has changed the store since `version`.
    func apply(_ changes: CookieChanges, at version: String?) throws -> String?
}
