import Foundation
import TarmacJSON
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("Token stores")
struct TokenStoreTests {
    private let folder = NSTemporaryDirectory() + "tokens-\(UUID().uuidString)"
    private let key = TokenKey(service: "shop", environment: "production", principal: "Ann/../é")

    private func path(_ key: TokenKey) -> String { "\(folder)/\(key.text).token" }
    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func aFileKeepsATokenItsUserAloneMayRead() throws {
        let store = FileTokenStore(folder: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try store.token(for: key) == nil)
        let token = AccessToken("a", refreshToken: "r", expiry: Date(timeIntervalSince1970: 7.5), scope: "s", extras: ["k": "v"], account: "ann")
        try store.save(AccessToken("old"), for: key)
        try store.save(token, for: key)
        #expect(try store.token(for: key) == token)
        #expect(try mode(path(key)) == 0o600)
        #expect(try mode(folder) == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        try store.removeToken(for: key)
        try store.removeToken(for: key)
        #expect(try store.token(for: key) == nil)
    }

    @Test func differentKeysHaveDifferentFiles() {
        let parts = ["", "a", "A", "a+b", "b", "%", ".."]
        let texts = parts.flatMap { a in parts.flatMap { b in parts.map { TokenKey(service: a, environment: b, principal: $0).text } } }
        #expect(Set(texts.map { $0.lowercased() }).count == texts.count)
        #expect(texts.allSatisfy { !$0.contains("/") && !$0.contains("..") })
    }

    @Test(arguments: [0o644, 0o660, 0o604])
    func aFileOthersMayReadIsRefused(mode: Int) throws {
        let store = FileTokenStore(folder: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try store.save(AccessToken("a"), for: key)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(key))
        #expect(throws: TarmacError.self) { try store.token(for: key) }
    }

    /// It could not be read again, and would take the place of one that can.
    @Test func aTokenBeyondTheLimitIsNotWritten() throws {
        let store = FileTokenStore(folder: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try store.save(AccessToken("a"), for: key)
        let error = #expect(throws: TarmacError.self) { try store.save(AccessToken(String(repeating: "x", count: 70_000)), for: key) }
        #expect(error?.code == .tokenStoreFailed)
        #expect(try store.token(for: key) == AccessToken("a"))
    }

    @Test func damagedLargeAndStrangeFilesAreRefused() throws {
        let store = FileTokenStore(folder: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for content in [Data(#"{"value":"hunter2"#.utf8), Data(), Data(#"{"value":7}"#.utf8), Data(count: 70_000)] {
            try store.save(AccessToken("hunter2"), for: key)
            let handle = try #require(FileHandle(forWritingAtPath: path(key)))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: content)
            try handle.close()
            let error = #expect(throws: TarmacError.self) { try store.token(for: key) }
            #expect(error?.code == .tokenStoreFailed)
            #expect(Shown.texts(error as Any).allSatisfy { !$0.contains("hunter2") })
        }
        #expect(try store.token(for: key) == nil)
        try FileManager.default.createSymbolicLink(atPath: path(key), withDestinationPath: "/etc/hostname")
        #expect(throws: TarmacError.self) { try store.token(for: key) }
        try store.save(AccessToken("a"), for: key)
        #expect(try store.token(for: key)?.value == "a")
        let long = TokenKey(service: "s", environment: "e", principal: String(repeating: "x", count: 300))
        #expect(throws: TarmacError.self) { try store.save(AccessToken("a"), for: long) }
    }

    @Test func aFolderThatCannotBeMadeIsNamed() {
        let error = #expect(throws: TarmacError.self) { try FileTokenStore(folder: "/proc/none/here").save(AccessToken("a"), for: key) }
        #expect(error?.code == .tokenStoreFailed)
    }
}
