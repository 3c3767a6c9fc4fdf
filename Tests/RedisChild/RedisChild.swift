#if Redis && canImport(Glibc)
import Foundation
import Tarmac
import TarmacRedis
import TarmacTraffic
import TarmacURLSession

/// A process of a fleet, which makes calls at once and ends.
///
///     RedisChild tokens PORT URL CALLS     with one token for all processes, which /token issues
///     RedisChild limit PORT URL CALLS      at a hundred a second for all processes
///
/// PORT is that of the Redis server. The status is 1 if a call has failed.
@main
struct RedisChild {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let port = Int(arguments[2]), let calls = Int(arguments[4]) else {
            FileHandle.standardError.write(Data("usage: RedisChild tokens|limit PORT URL CALLS\n".utf8))
            exit(2)
        }
        let redis = HiredisClient("127.0.0.1", port: port)
        let service = Service("api", hosts: [.production: Hosts(stringLiteral: arguments[3])]) {
            $0.queueTimeout = .seconds(120)
            if arguments[1] == "limit" {
                $0.rateLimit = .perSecond(100).shared(by: RedisLimits(redis))
            } else {
                // A short lease, so that a test does not wait for that of a process that it has killed.
                let store = RedisTokenStore(redis, prefix: "tarmac:", sealer: nil, lease: .seconds(1))
                $0.authenticator = .clientCredentials(tokenURL: "/token", client: OAuthClient(id: "fleet", secret: "secret"), store: store)
            }
        }
        let failures = await withClient(transport: .urlSession, services: [service]) { client in
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<calls { group.addTask { (try? await client.get("/calls/\(number)")) == nil } }
                var failures = 0
                for await hasFailed in group where hasFailed { failures += 1 }
                return failures
            }
        }
        exit(failures == 0 ? 0 : 1)
    }
}
#else
@main
struct RedisChild {
    static func main() {}
}
#endif
