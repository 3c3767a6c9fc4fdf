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
enum SystemLookup {
    /// The system has a cache of its own, and does not tell how long an answer counts.
    private static let life = Duration.seconds(30)
    /// The maximum number of questions at the same time. Each holds a thread, and cannot be ended.
    private static let limit = 16
    private static let running = Locked(0)
    private static let queue = DispatchQueue(label: "tarmac.resolver.system", attributes: .concurrent)

    static func answer(to name: String) async throws -> NameAnswer {
        let mayRun = running.withLock { running in
            guard running < limit else { return false }
            running += 1
            return true
        }
        guard mayRun else { throw AnswerFault("the system does not answer other questions") }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let result = Result { try look(name) }
                running.withLock { $0 -= 1 }
                continuation.resume(with: result)
            }
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
