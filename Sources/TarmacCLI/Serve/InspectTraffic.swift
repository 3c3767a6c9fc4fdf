#if Tools
import HTTPTypes
import Tarmac

/// Calls of every kind for the inspector to show: values, redirects, retries, failures, answers of the cache, slow ones.
struct InspectTraffic: Sendable {
    let client: Client
    let host: String
    let pause: Duration
    /// The number of calls in flight.
    private static let mostAtOnce = 16

    /// Makes the given number of calls, and returns when the task is cancelled.
    func fly(_ count: Int?) async {
        await withTaskGroup(of: Void.self) { group in
            var number = 0
            while !Task.isCancelled, number < count ?? .max {
                if number >= Self.mostAtOnce { await group.next() }
                let next = number
                group.addTask { await call(next) }
                number += 1
                try? await Task.sleep(for: pause)
            }
        }
        // The page stays for as long as the user looks at it.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }

    /// The log shows the failures, so they are not reported here.
    private func call(_ number: Int) async {
        let path = Self.paths[number % Self.paths.count]
        do {
            if path == "/login" {
                _ = try await client.send(Login(name: "ann", password: number % 2 == 0 ? "runway" : "wrong"))
            } else {
                let request = try Request(.get, host + path)
                _ = try await client.send(raw: request) {
                    $0.timeout = .seconds(5)
                    $0.acceptableStatus = .success
                    $0.retry = .exponential()
                }
            }
        } catch {}
    }

    private static let paths = [
        "/users/7", "/users/8", "/redirect/2", "/users/7", "/login", "/slow?ms=700", "/gzip", "/users/404", "/bytes/20000", "/status/503", "/cdn/users/9",
        "/login", "/stream?lines=3&ms=60", "/status/418", "/shop/production/where", "/users/12", "/bytes/4000000?breaks=true",
        "/events?count=2&ms=80", "/image",
    ]
}
#endif
