import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A call's priority as a session's task takes it (YTK-14): a hint for HTTP/2 on Apple platforms, without effect on Linux.
enum TaskPriority {
    static func value(of priority: CallPriority) -> Float {
        switch priority {
        case .low: URLSessionTask.lowPriority
        case .normal: URLSessionTask.defaultPriority
        case .high: URLSessionTask.highPriority
        }
    }
}
