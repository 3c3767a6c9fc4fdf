extension Options {
    /// The principal that calls are made for, such as the ID of the user that a server acts for.
    ///
    /// Tokens of different principals are kept apart, and a response stored for one is never returned to another.
    /// Default: empty, for calls that are made for no one in particular. They share one principal. An empty text is a value:
    /// it makes a call for no one where a layer below names a principal, such as a public call of a service. Check that the
    /// ID of a user is not empty before you set it.
    ///
    /// Set it for client or service where users are told apart by a key, a fixed token or cookies alone: calls in an outbox or a
    /// transfer queue then wait until their user's principal is set again. Change both in one assignment of ``Client/options``, or the
    /// credentials first.
    public var principal: String? {
        get { self[Settings.principal] }
        set { self[Settings.principal] = newValue }
    }
}

extension Settings {
    static let principal = Setting("principal", \.principal)
}
