#if canImport(Darwin)
import Foundation

/// Acts when an app goes to the background or ends, before the system may suspend it.
final class BackgroundObserver: Sendable {
    // SAFETY: the tokens are set once, and only removed from the centre, which is safe from every thread.
    nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

    init(_ act: @escaping @Sendable () -> Void) {
        tokens = BackgroundNotices.names.map { name in
            NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in act() }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}
#endif
