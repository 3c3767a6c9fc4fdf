#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PinNotice {
    /// The event for the notice.
    var event: CallEvent.Kind {
        switch self {
        case .mismatch(let report): .pinMismatch(report)
        case .expired(let host, let since):
            .warning("the pins of \(host) ended on \(since.formatted(.iso8601)) and are not enforced: its certificates are verified as without pins")
        }
    }
}
