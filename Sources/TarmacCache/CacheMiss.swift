/// The reason why the cache did not answer a call.
package enum CacheMiss: String, Sendable, CaseIterable {
    /// The cache has no response for the call.
    case missing
    /// The stored response has expired.
    case expired
    /// The response was stored under another version of the cache rule.
    case version
    /// The response was stored with other sensitive data.
    case sensitiveData
    /// Another version of the app stored the response.
    case appVersion
    /// The stored response was damaged, and the store has removed it.
    case corrupt
    /// The stored response answers a request with other values in the fields that `Vary` names.
    case variant
    /// The resource has been changed since the response was stored.
    case invalidated
    /// The call or the server requires a validation of the stored response at each use.
    case validation
    /// The stored response does not hold the requested byte range.
    case range
}
