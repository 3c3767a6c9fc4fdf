import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Converts the priority of a call to that of a task. It is a hint for HTTP/2 on Apple platforms and has no
/// effect on Linux.
enum TaskPriority {
    static func value(of priority: CallPriority) -> Float {
        switch priority {
        case .low: URLSessionTask.lowPriority
        case .normal: URLSessionTask.defaultPriority
        case .high: URLSessionTask.highPriority
        }
    }
}
