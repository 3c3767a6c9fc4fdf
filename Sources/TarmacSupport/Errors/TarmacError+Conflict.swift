package import TarmacCore

extension TarmacError {
    /// Whether a conflict may be with an earlier request under the same `Idempotency-Key`, which may still be in progress
    /// (draft-ietf-httpapi-idempotency-key-header §2.7). Otherwise it is the app's own.
    ///
    /// - Parameter hasArrived: whether the server may have acted on an earlier request.
    package func isOwnConflict(hasArrived: Bool) -> Bool { hasArrived && rejectedStatus == 409 }
}
