import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of a jar: changes at its end, replacement as a whole, damage, several writers.
@Suite("Cookie files", .timeLimit(.minutes(5)))
struct CookieFileTests {
    private final class Folder: Sendable {
        let path = "\(FileManager.default.temporaryDirectory.path)/tarmac-cookies-\(UInt64.random(in: .min ... .max))"
        init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }
    private let folder = Folder()
    private var path: String { folder.path + "/jar.json" }

    private func cookie(_ name: String, _ value: String, age: Int = 99) throws -> Cookie {
        try CookieRule(url: HTTPURL("https://s.example/"), date: start).cookie(of: "\(name)=\(value); Max-Age=\(age)")
    }

    private func set(_ cookies: Cookie...) -> CookieChanges { CookieChanges(principals: ["p": cookies.map { .set($0) }], date: start) }

    private func values(_ store: FileCookieStore? = nil) throws -> [String] {
        try (store ?? FileCookieStore(path: path)).load()["p", default: []].map { "\($0.name)=\($0.value)" }
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test func changesAreAppendedAndReadInTheirOrder() throws {
        let store = FileCookieStore(path: path)
        try store.apply(set(cookie("a", "1"), cookie("b", "1")))
        let first = try bytes()
        try store.apply(set(cookie("a", "2")))
        try store.apply(CookieChanges(principals: ["p": [.removed(cookie("b", "hunter2"))], "q": [.set(cookie("c", "1"))]], date: start))
        #expect(try values() == ["a=2"])
        #expect(try store.load()["q"]?.map(\.name) == ["c"])
        let all = try bytes()
        #expect(all.starts(with: first))
        #expect(!String(decoding: all, as: UTF8.self).contains("hunter2"))
    }

    /// As programs before this one wrote it.
    @Test func aFileWithoutChangesIsReadAndContinued() throws {
        let old =
            #"{"principals":{"p":[{"created":921692800,"domain":"s.example","expires":921692899,"isHTTPOnly":false,"#
            + #""isHostOnly":true,"isSecure":false,"lastUsed":921692800,"name":"a","path":"\/","sameSite":"default","value":"1"}]},"version":1}"#
        try old.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let store = FileCookieStore(path: path)
        #expect(try values(store) == ["a=1"])
        try store.apply(set(cookie("b", "1")))
        #expect(try values() == ["a=1", "b=1"])
        #expect(try String(decoding: bytes(), as: UTF8.self).hasPrefix(old))
    }

    /// A crash may cut the last write off anywhere. The writes before it are read, and later ones follow.
    @Test func aTailThatWasCutOffLosesItsWriteAlone() throws {
        let store = FileCookieStore(path: path)
        try store.apply(set(cookie("a", "1")))
        try store.apply(set(cookie("b", "1")))
        let whole = try bytes()
        try store.apply(set(cookie("c", "1")))
        let full = try bytes()
        for length in whole.count..<full.count {
            try full.prefix(length).write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(try values() == ["a=1", "b=1"])
            if length % 40 == 0 {
                try store.apply(set(cookie("d", "1")))
                #expect(try values() == ["a=1", "b=1", "d=1"])
            }
        }
        // A tail of zeros, as some file systems leave after a loss of power.
        try (whole + Data(repeating: 0, count: 100)).write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try store.apply(set(cookie("e", "1")))
        #expect(try values() == ["a=1", "b=1", "e=1"])
    }

    /// A full file keeps the cookies of today, not those of the day it became full.
    @Test func aFullFileLosesTheCookiesThatWereUnusedForLongest() throws {
        let store = FileCookieStore(path: path, maximumSize: 20_000), long = String(repeating: "x", count: 1_000)
        let cookies = try (10..<50).map { number in
            var cookie = try cookie("c\(number)", long)
            cookie.lastUsed = start + Double(number)
            return cookie
        }
        #expect(throws: TarmacError.self) { try store.save(["p": cookies]) }
        let names = try store.load()["p", default: []].map(\.name)
        #expect((8...15).contains(names.count))
        #expect(names == cookies.suffix(names.count).map(\.name))
        // Reported once.
        for number in 0..<40 {
            var cookie = try cookie("d\(number)", long)
            cookie.lastUsed = start + Double(100 + number)
            try store.apply(set(cookie))
        }
        #expect(try store.load()["p", default: []].map(\.name).contains("d39"))
        #expect(try bytes().count <= 20_000)
    }

    @Test func manyChangesReplaceTheFile() throws {
        let store = FileCookieStore(path: path), other = FileCookieStore(path: path), long = String(repeating: "x", count: 1_000)
        try other.apply(set(cookie("other", "1")))
        for number in 0..<300 { try store.apply(set(cookie("a", "\(number)\(long)"))) }
        #expect(try bytes().count < 140 << 10)
        // The other one notices that the file is another one by now.
        try other.apply(set(cookie("b", "1")))
        #expect(try values().map { $0.prefix(5) } == ["a=299", "b=1", "other"])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func expiredCookiesLeaveWithAReplacement() throws {
        let store = FileCookieStore(path: path), long = String(repeating: "x", count: 1_000)
        try store.apply(set(cookie("brief", "1", age: 1)))
        for number in 0..<100 {
            try store.apply(CookieChanges(principals: ["p": [.set(cookie("a", "\(number)\(long)"))]], date: start + 2))
        }
        #expect(try values().count == 1)
    }

    @Test(arguments: [0o644, 0o600])
    func aFileThatOthersMayReadOrThatIsNoneIsNotAppendedTo(mode: Int) throws {
        let store = FileCookieStore(path: path)
        if mode == 0o644 { try store.apply(set(cookie("a", "1"))) } else { try "no cookies".write(toFile: path, atomically: true, encoding: .utf8) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let before = try bytes()
        #expect(throws: TarmacError.self) { try store.apply(set(cookie("b", "1"))) }
        // One that is none is moved aside.
        #expect(FileManager.default.contents(atPath: mode == 0o644 ? path : path + ".damaged") == before)
    }

    @Test func aFileThatWasDeletedIsMadeAgain() throws {
        let store = FileCookieStore(path: path)
        try store.apply(set(cookie("a", "1")))
        try FileManager.default.removeItem(atPath: path)
        try store.apply(set(cookie("b", "1")))
        #expect(try values() == ["b=1"])
    }
}
