/// The reading of one principal's cookies from a store (pure).
struct PrincipalReading {
    /// The principal's text.
    let principal: String
    /// The uses of principals before the reading.
    let step: Int
    /// The steps of removals before the reading.
    let removals: Int
    /// The writes before the reading.
    let writes: Int
    /// The changes of the store by other jars before the reading.
    let generation: Int
    /// The cookies that were read.
    var cookies: [Cookie] = []
}

/// The reading of a whole store (pure).
struct StoreReading {
    /// The version of the store before the reading.
    let version: String?
    let number: Int
    /// The steps of removals and the writes before the reading.
    let removals: Int
    let writes: Int
}

/// Where the cookies of a jar are kept beyond its life.
enum CookieStorage {
    /// In the jar alone.
    case none
    /// In a store that is read as a whole.
    case whole
    /// In a store that reads the cookies of one principal.
    case byPrincipal
}
