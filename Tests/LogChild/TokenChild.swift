import Foundation
import Tarmac
import TarmacTesting

/// A process that shares a login with others: `LogChild tokens FOLDER`.
///
/// Each access token is good for one call of all processes, so that each call needs a refresh. It writes a line for each call that
/// has landed, and ends with 3 if a call fails. Without a lock, another process may be about to save the new token, so the process
/// ends only if it stays logged out.
struct TokenChild {
    let folder: String
    let hasLock: Bool

    /// A store in files without its lock.
    private struct Unlocked: TokenStore {
        let files: FileTokenStore
        func token(for key: TokenKey) throws -> AccessToken? { try files.token(for: key) }
        func save(_ token: AccessToken, for key: TokenKey) throws { try files.save(token, for: key) }
        func removeToken(for key: TokenKey) throws { try files.removeToken(for: key) }
    }

    /// The server's memory is files that can be made once.
    private struct Server {
        let folder: String
        /// Whether a refresh token counts again whose answer nobody has used.
        let isLenient: Bool

        /// Whether the name is new.
        private func isFirst(_ name: String) -> Bool { (try? Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .withoutOverwriting)) != nil }

        func takes(_ token: String) -> Bool { isFirst("used-\(token)") }

        func refresh(_ token: String) -> Int? {
            guard let number = Int(token) else { return nil }
            // The answer to the first use may be lost with the process that asked.
            if isFirst("spent-\(number)") || isLenient && !FileManager.default.fileExists(atPath: "\(folder)/used-\(number + 1)") { return number + 1 }
            _ = isFirst("fault")
            return nil
        }
    }

    private struct Tokens: Authenticator {
        let server: Server
        // Others use a token up again and again.
        var refreshRule: RefreshRule { RefreshRule { ($0.coolDown, $0.backOff) = (.zero, .milliseconds(20)) } }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            guard let next = server.refresh(token?.refreshToken ?? "") else { throw TarmacError(.loggedOut) }
            await Task.yield()
            return AccessToken("\(next)", refreshToken: "\(next)")
        }
    }

    func run() async throws -> Never {
        let server = Server(folder: folder, isLenient: hasLock), files = FileTokenStore(folder: folder + "/tokens")
        let store: any TokenStore = hasLock ? files : Unlocked(files: files)
        let key = TokenKey(service: "s", environment: "production")
        let stub = StubTransport { request in
            let token = request.headers.first { $0.name.canonicalName == "authorization" }?.value.split(separator: " ").last
            return token.map { server.takes(String($0)) } == true ? .status(.ok) : .status(.unauthorized)
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.authenticator = Authentication(Tokens(server: server), store: store)
        }
        if (try? Data().write(to: URL(fileURLWithPath: "\(folder)/first"), options: .withoutOverwriting)) != nil {
            try await store.save(AccessToken("0", refreshToken: "0", account: "ann"), for: key)
        }
        // The first process may still be writing the token.
        var turns = 0
        while try await store.token(for: key) == nil {
            turns += 1
            if turns > 60_000 { exit(4) }
            try await Task.sleep(for: .milliseconds(1))
        }
        var losses = 0
        while true {
            do { try await client.get("/") } catch let error as TarmacError where error.status?.code == 401 {
                // The others have used both tokens that the call got.
                continue
            } catch let error as TarmacError where error.code == .loggedOut && !hasLock && losses < 4_000 {
                losses += 1
                try await Task.sleep(for: .milliseconds(5))
                continue
            } catch { exit(3) }
            losses = 0
            FileHandle.standardOutput.write(Data("landed\n".utf8))
        }
    }
}
