import TarmacCore

/// Which connection a request may take.
///
/// libcurl sends a request again by itself when a kept connection turns out dead, whatever its method. With a body
/// Foundation asks us first; without one only a connection never used before is safe.
enum LaneNeed: Equatable {
    /// Any of the common session's.
    case shared
    /// One never used before.
    case fresh

    init(_ request: Request, resendsByItself: Bool = Platform.resendsByItself) {
        let mayBeResent = request.isIdempotent || request.body.length != 0
        self = resendsByItself && !mayBeResent ? .fresh : .shared
    }
}
