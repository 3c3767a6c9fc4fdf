/// Why a call was not answered from the cache.
public enum CacheMiss: String, Sendable, CaseIterable {
    /// Nothing is stored.
    case missing
    /// What is stored is past its time.
    case expired
    /// It was stored under another version of the rule (YTK-25).
    case version
    /// It was stored under other sensitive data.
    case sensitiveData
    /// It was stored by another version of the app.
    case appVersion
    /// It was damaged, and is gone.
    case corrupt
    /// What is stored was for other header fields, which `Vary` names.
    case variant
    /// A change to the resource was made since.
    case invalidated
    /// The call, or the server, wants it looked up each time.
    case validation
    /// Other bytes were asked for than are stored.
    case range
}
