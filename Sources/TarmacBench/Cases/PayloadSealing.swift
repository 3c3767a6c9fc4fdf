#if Tools
import ArgumentParser
import Crypto
import Foundation
import HTTPTypes
import Tarmac
import TarmacCrypto

/// A sealed body against swift-crypto alone: what key ids, binding and the head cost on top.
enum PayloadSealing {
    struct Result: Codable {
        var algorithm: String
        /// Sealing a request, opening a response.
        var seal: Double
        var open: Double
        /// Of swift-crypto, in milliseconds of processor time.
        var rawSeal: Double
        var rawOpen: Double
    }

    static func measure(_ algorithm: SealingAlgorithm, bytes: Int, rounds: Int) throws -> Result {
        let plain = Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let key = SecretKey.random()
        let cipher = KeyringCipher(try Keyring(current: SealingKey("bench", key, algorithm: algorithm)))
        let raw = Raw(algorithm: algorithm, key: key.withUnsafeBytes { SymmetricKey(data: $0) })
        let request = Request(.post, try HTTPURL("https://bench.example/v1/orders?page=2"), body: .data(plain))
        let sent = try cipher.seal(request, at: Date())
        let answer = try cipher.seal(Response(status: .ok, body: .bytes(Bytes(plain)), url: request.url), to: sent)
        let box = try raw.seal(plain)
        var times: [[Double]] = [[], [], [], []]
        // One after the other in every round, so that all of them see the same machine.
        for _ in 0..<rounds {
            times[0].append(try time { _ = try cipher.seal(request, at: Date()) })
            times[1].append(try time { _ = try raw.seal(plain) })
            times[2].append(try time { _ = try cipher.open(answer, to: sent, at: Date()) })
            times[3].append(try time { _ = try raw.open(box) })
        }
        let medians = times.map { $0.sorted()[$0.count / 2] * 1e3 }
        return Result(
            algorithm: "\(algorithm)", seal: medians[0] / medians[1], open: medians[2] / medians[3], rawSeal: medians[1], rawOpen: medians[3])
    }

    private static func time(_ work: () throws -> Void) rethrows -> Double {
        let before = Usage.now()
        for _ in 0..<8 { try work() }
        return (Usage.now() - before).cpu / 8
    }

    private struct Raw {
        let algorithm: SealingAlgorithm
        let key: SymmetricKey

        func seal(_ plain: Data) throws -> Data {
            switch algorithm {
            case .aes256GCM: try AES.GCM.seal(plain, using: key).combined ?? Data()
            case .chaCha20Poly1305: try ChaChaPoly.seal(plain, using: key).combined
            }
        }

        func open(_ box: Data) throws -> Data {
            switch algorithm {
            case .aes256GCM: try AES.GCM.open(AES.GCM.SealedBox(combined: box), using: key)
            case .chaCha20Poly1305: try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: box), using: key)
            }
        }
    }
}

struct CryptoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "crypto", abstract: "Sealed bodies against swift-crypto alone.")
    @Option(help: "Bytes of a body.") var bytes = 1 << 20
    @Option(help: "Rounds of eight.") var rounds = 51
    @Flag(help: "Prints JSON.") var json = false

    func run() async throws {
        let results = try SealingAlgorithm.allCases.map { try PayloadSealing.measure($0, bytes: bytes, rounds: rounds) }
        if json { return print(try Report.json(results)) }
        for result in results {
            print(
                String(
                    format: "%@ of %d bytes: seal %.3f× (%.3f ms alone), open %.3f× (%.3f ms alone)", result.algorithm, bytes, result.seal, result.rawSeal,
                    result.open, result.rawOpen))
        }
    }
}
#endif
