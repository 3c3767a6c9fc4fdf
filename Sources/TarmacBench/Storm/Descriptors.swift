#if Tools
import Foundation

/// The open descriptors of this process, by what they are open on.
enum Descriptors {
    static func now() -> [String] {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // The one that reads the folder is gone by now.
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }.filter { !$0.contains("/fd") }
    }

    /// Returns the descriptors as soon as there are no more than `count`, or after 20 seconds.
    static func settled(at count: Int) async -> [String] {
        for _ in 0..<200 {
            let open = now()
            if open.count <= count { return open }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return now()
    }

    /// Returns what is open now beyond the number of its kind that was open before.
    static func added(_ after: [String], _ before: [String]) -> [String] {
        var known = Dictionary(before.map { (kind($0), 1) }, uniquingKeysWith: +)
        return after.filter { name in
            known[kind(name), default: 0] -= 1
            return known[kind(name), default: 0] < 0
        }.map { "\($0)\(connection($0) ?? "")" }
    }

    /// The row of the kernel's table for a socket: its addresses and its state, in hexadecimal.
    private static func connection(_ name: String) -> String? {
        let number = name.drop { $0 != "[" }.dropFirst().dropLast()
        let table = try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        let row = table?.split(separator: "\n").map { $0.split(separator: " ") }.first { $0.count > 9 && $0[9] == number }
        return row.map { " \($0[1]) to \($0[2]), state \($0[3])" }
    }

    /// `socket:[123]` is a socket, whatever its number.
    private static func kind(_ name: String) -> String { name.hasPrefix("/") ? name : String(name.prefix { $0 != "[" && !$0.isNumber }) }
}
#endif
