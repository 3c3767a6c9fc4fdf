import Dispatch
@_spi(TarmacRooms) import TarmacCore
#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#elseif canImport(Musl)
import Musl
private let streamType = SOCK_STREAM
#elseif canImport(Android)
import Android
private let streamType = Int32(SOCK_STREAM)
#else
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// Asks the system for the addresses of a name.
package enum SystemLookup {
    /// The system has a cache of its own, and does not tell how long an answer counts.
    private static let life = Duration.seconds(30)
    /// Each question holds a thread, and cannot be ended.
    private static let slots = QuestionSlots(16, waiting: 1_024)

    static func answer(to name: String) async throws -> NameAnswer { try await slots.run { try await onThread { try look(name) } } }

    /// Returns the result of `work`, which may block its thread.
    ///
    /// A serial queue has a thread of its own while it works. On Linux, a concurrent queue takes its threads from Swift's tasks.
    package static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "tarmac.resolver.system").async { continuation.resume(with: Result { try work() }) }
        }
    }

    private static func look(_ name: String) throws -> NameAnswer {
        var hints = addrinfo(), list: UnsafeMutablePointer<addrinfo>?
        hints.ai_socktype = streamType
        let code = getaddrinfo(name, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard code == 0 else { throw AnswerFault("the system answers \"\(String(cString: gai_strerror(code)))\"") }
        var addresses: [HostAddress] = [], next = list
        while let entry = next, addresses.count < NameAnswer.limit {
            if let address = address(entry.pointee) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return NameAnswer(addresses, life: life)
    }

    private static func address(_ entry: addrinfo) -> HostAddress? {
        guard let place = entry.ai_addr else { return nil }
        switch entry.ai_family {
        case AF_INET:
            return place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { place in
                withUnsafeBytes(of: place.pointee.sin_addr) { HostAddress(bytes: $0) }
            }
        case AF_INET6:
            return place.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { place in
                withUnsafeBytes(of: place.pointee.sin6_addr) { HostAddress(bytes: $0) }
            }
        default: return nil
        }
    }
}
