import Foundation
import Tarmac
import TarmacTesting

/// A process that shares a login with others: `LogChild tokens FOLDER`.
///
/// Each access token is good for one call of all processes, so that each call needs a refresh. It writes a line for each call that
/// has landed, and ends with 3 if a call fails.
struct TokenChild {
    let folder: String

    /// The server's memory is files that can be made once.
    private struct Server {
        let folder: String

        /// Whether the name is new.
        private func isFirst(_ name: String) -> Bool { (try? Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .withoutOverwriting)) != nil }

        func takes(_ token: String) -> Bool { isFirst("used-\(token)") }

        func refresh(_ token: String) -> Int? {
            guard let number = Int(token) else { return nil }
            // The answer to the first use may be lost with the process that asked.
            if isFirst("spent-\(number)") || !FileManager.default.fileExists(atPath: "\(folder)/used-\(number + 1)") { return number + 1 }
            _ = isFirst("fault")
            return nil
        }
    }

    private struct Tokens: Authenticator {
        let server: Server
        // Others use a token up again and again.
        var refreshRule: RefreshRule { RefreshRule { $0.coolDown = .zero } }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            guard let next = server.refresh(token?.refreshToken ?? "") else { throw TarmacError(.loggedOut) }
            await Task.yield()
            return AccessToken("\(next)", refreshToken: "\(next)")
        }
    }

    func run() async throws -> Never {
        let server = Server(folder: folder), store = FileTokenStore(folder: folder + "/tokens")
        let key = TokenKey(service: "s", environment: "production")
        let stub = StubTransport { request in
            let token = request.headers.first { $0.name.canonicalName == "authorization" }?.value.split(separator: " ").last
            return token.map { server.takes(String($0)) } == true ? .status(.ok) : .status(.unauthorized)
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.authenticator = Authentication(Tokens(server: server), store: store)
        }
        if (try? Data().write(to: URL(fileURLWithPath: "\(folder)/first"), options: .withoutOverwriting)) != nil {
            try store.save(AccessToken("0", refreshToken: "0", account: "ann"), for: key)
        }
        // The first process may still be writing the token.
        var turns = 0
        while try store.token(for: key) == nil {
            turns += 1
            if turns > 60_000 { exit(4) }
            try await Task.sleep(for: .milliseconds(1))
        }
        while true {
            do { try await client.get("/") } catch let error as TarmacError where error.status?.code == 401 {
                // The others have used both tokens that the call got.
                continue
            } catch { exit(3) }
            FileHandle.standardOutput.write(Data("landed\n".utf8))
        }
    }
}
