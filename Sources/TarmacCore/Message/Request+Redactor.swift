extension Request {
    /// Returns a redactor with the names that this request's call hides and shows.
    package func redactor(over base: Redactor) -> Redactor {
        // Most requests have none.
        if secrets.names.isEmpty, secrets.shown.isEmpty { return base }
        return base.showing(secrets.shown).adding(parameters: secrets.names)
    }
}
