#if canImport(Darwin)
import Foundation
#if canImport(UIKit) && (os(iOS) || os(visionOS))
import UIKit

/// Reports whether the device has external power, now and after each change. A device that does not tell has it.
final class PowerObserver: Sendable {
    // SAFETY: the token is set once, and only removed from the centre, which is safe from every thread.
    nonisolated(unsafe) private let token: any NSObjectProtocol

    init(_ report: @escaping @Sendable (Bool) -> Void) {
        // LIFETIME: both tasks end at once.
        token = NotificationCenter.default.addObserver(forName: UIDevice.batteryStateDidChangeNotification, object: nil, queue: nil) { _ in
            Task { @MainActor in report(Self.hasPower) }
        }
        Task { @MainActor in
            UIDevice.current.isBatteryMonitoringEnabled = true
            report(Self.hasPower)
        }
    }

    func end() { NotificationCenter.default.removeObserver(token) }

    @MainActor private static var hasPower: Bool { UIDevice.current.batteryState != .unplugged }
}
#else
/// The system does not tell whether the device has external power: it counts as there.
struct PowerObserver: Sendable {
    init(_ report: @escaping @Sendable (Bool) -> Void) { report(true) }

    func end() {}
}
#endif
#endif
