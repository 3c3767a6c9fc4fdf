import TarmacCore

/// The connections that a request may use.
///
/// libcurl sends a request again by itself if a pooled connection is dead, whatever its method. For a request
/// with a body, Foundation asks first. Without a body, only a new connection is safe.
enum SessionNeed: Equatable {
    /// Any connection of the common session.
    case shared
    /// A new connection.
    case fresh

    init(_ request: Request, resendsByItself: Bool = Platform.resendsByItself) {
        let mayBeResent = request.isIdempotent || request.body.length != 0
        self = resendsByItself && !mayBeResent ? .fresh : .shared
    }
}
