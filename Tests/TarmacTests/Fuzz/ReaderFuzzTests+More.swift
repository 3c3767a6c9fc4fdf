import Foundation
import HTTPTypes
import TarmacSupport
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacBackground
@testable import TarmacCache
@testable import TarmacCore
#if Crypto
@testable import TarmacCrypto
#endif
@testable import TarmacDigest
@testable import TarmacHTTP

/// Coded bodies, charsets, certificates, the files of caches and queues, and the fields of signed and sealed messages.
extension ReaderFuzzTests {
    static let more: [FuzzedReader] =
        [
            FuzzedReader(
                "content-coding",
                bytes: [
                    Coded.gzip, Coded.gzipWithEveryHeaderField, Coded.zlib, Coded.bareDeflate, Coded.storedDeflate, Coded.zerosInGzipTwice,
                    Coded.zerosInZlibInGzip,
                ]
            ) { bytes in
                for coding in PlatformCodings.offered { _ = try? ContentDecoder.inflate(Bytes(bytes), coding, limit: 65_536) }
                for coding in ["gzip, gzip", "deflate, gzip"] {
                    let response = Response(
                        status: .ok, headers: [.contentEncoding: coding], body: .bytes(Bytes(bytes)), url: try HTTPURL("https://a.example/"))
                    _ = try? ContentDecoder.decode(response, limit: 65_536, requestMethod: .get)
                }
            },
            FuzzedReader("charset", bytes: [Array("plain é中😀".utf8), [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8], [0xEF, 0xBB, 0xBF, 0x61]]) { bytes in
                let stated = String(decoding: bytes.prefix(12), as: UTF8.self)
                for charset in [nil, stated] + charsets { _ = try? TextDecoder.decode(Bytes(bytes), charset: charset) }
                for charset in charsets { _ = try? TextDecoder.utf8(Bytes(bytes), charset: charset) }
            },
            FuzzedReader("certificate", bytes: [CertificateSample.localhost.der, CertificateSample.expired.der]) { bytes in
                _ = DERCertificate(bytes)?.validity
                var reader = DERReader(bytes)
                while let element = reader.next() {
                    var inner = DERReader(bytes, element.content)
                    while inner.next() != nil {}
                }
            },
            FuzzedReader("cache-file", bytes: [cacheFile]) { bytes in
                let path = temporaryPath
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                defer { FileDescriptor.removeFile(path) }
                guard case .entry(let content) = CacheFile.read(path, id: 7, inlineLimit: .max) else { return }
                _ = (content.entry.shownURL, FileBodySource.isIntact(path, content.footer) {})
            },
            FuzzedReader("queue-record", bytes: [queueRecord]) { bytes in
                let record = try JSONDecoder().decode(TransferQueueRecord.self, from: Data(bytes))
                _ = (record.isSound, record.priority, record.conditions, try JSONEncoder().encode(record))
            },
            FuzzedReader("background-head", [head]) { bytes in
                let folder = temporaryPath, request = Request(.get, try HTTPURL("https://a.example/"))
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let store = try BackgroundResultStore(folder: folder)
                guard let label = BackgroundLabel(description: "tarmac-1 \(String(repeating: "a", count: 64)) ") else { return }
                try store.file(label, .head).write(bytes)
                try store.file(label, .body).write(Array("body".utf8))
                _ = try store.response(label, to: request)?.description
            },
        ] + signed

    private static let charsets: [String?] = [
        "utf-8", "utf-16", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "windows-1252", "shift_jis", "gb18030", "euc-jp", "iso-2022-jp",
    ]

    private static let head =
        #"{"status":200,"headers":[{"name":"Content-Type","value":"a/b","indexingStrategy":{}}],"isDecoded":true,"url":"https://a.example/b"}"#

    private static var temporaryPath: String { "\(NSTemporaryDirectory())fuzzed-\(UUID().uuidString)" }

    private static let cacheFile: [UInt8] = {
        let path = temporaryPath, body = Bytes("body"), date = Date(timeIntervalSince1970: 800_000_000)
        let entry = CacheEntry(
            id: 7, key: CacheKey(service: "s", environment: "e", url: "/a"), headers: [.eTag: "\"a\""], requestDate: date, responseDate: date, bodyLength: 4)
        let descriptor = FileDescriptor.openForWriting(path)
        defer {
            FileDescriptor.closeFile(descriptor)
            FileDescriptor.removeFile(path)
        }
        guard CacheFile.write(body, to: descriptor, at: 0), CacheFile.finish(descriptor, entry, Checksum(body)) != nil else { return [] }
        return (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) } ?? []
    }()

    private static let queueRecord: [UInt8] = {
        let record = TransferQueueRecord(id: "a", number: 1, key: "k", content: #"{"photo":"b"}"#, priority: .normal, conditions: [])
        return (try? JSONEncoder().encode(record)).map { [UInt8]($0) } ?? []
    }()

    #if Crypto
    private static let signatures = [
        #"sig1=("@method" "@authority" "content-digest";req);created=1700000000;keyid="k";alg="hmac-sha256", b=();expires=1"#,
        #"a=:AAEC:, b=%"f%c3%bc", c=@1700000000, d=-1.5, e=?1, f=(g "h\\\"");i=j"#,
    ]

    private static let sealed =
        #"v=1, alg=A256GCM, kid="2026-11", type="application/json", id=:AAECAwQFBgcICQoLDA0ODw==:, t=1763752000"#
        + #", seal=:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGw==:"#

    private static let signed = [
        FuzzedReader(text: "signature-fields", signatures) { text in
            for signature in ["sig1=:AAEC:, b=:AA==:", text] {
                let fields: HTTPFields = [SignatureFields.input: text, SignatureFields.signature: signature]
                for received in (try? SignatureFields.received(fields)) ?? [] { _ = (received.input.created, received.input.isMistyped, received.label) }
            }
            if let list = try? StructuredField.list(text) { _ = try StructuredField.text(list) }
            if let item = try? StructuredField.item(text) { _ = try StructuredField.text(item) }
            if let members = try? StructuredField.dictionary(text) { _ = try StructuredField.text(members) }
        },
        FuzzedReader(text: "sealed-head", [sealed]) { text in
            _ = SealedHeadReader.members(text)?.all.map(\.name)
            _ = try? SealedHead(parsing: text)
        },
    ]
    #else
    private static let signed: [FuzzedReader] = []
    #endif
}
