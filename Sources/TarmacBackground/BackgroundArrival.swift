/// Why a waiting call is woken.
package enum BackgroundArrival: Sendable {
    /// Its response is stored.
    case arrived
    /// The body of its upload is to be put into a file.
    case prepare
    /// Its task was cancelled by something else.
    case again
}
