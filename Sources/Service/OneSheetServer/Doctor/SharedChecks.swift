import HTTPFetch
import Logging
import MovieDomain
import MovieLibraryPostgres
import ObjectStorage
import OneSheetConfiguration
import RedisClient

/// Connects once to each engine that nodes share.
struct SharedChecks {
    static let name = "shared"

    let configuration: ServeConfiguration

    var checks: [ServiceCheck] {
        let checks = [self.redis, self.store, self.library].compactMap(\.self)
        guard checks.isEmpty else { return checks }
        return [
            ServiceCheck(Self.name) {
                [CheckResult(.skipped, "", "Not asked: --redis, --originals and --library are not set.")]
            }
        ]
    }

    private var redis: ServiceCheck? {
        self.configuration.redis.map { settings in
            let subject = "\(settings.client.address)"
            return ServiceCheck(Self.name, subject) {
                do {
                    let logger = Logger(label: "onesheet.doctor") { _ in SwiftLogNoOpLogHandler() }
                    try await RedisClient(settings.client, logger: logger).probe()
                    return [CheckResult(.ok, subject, "Redis answers.")]
                } catch let failure as RedisFailure {
                    return [CheckResult(.failure, subject, "\(failure): check --redis, its password and its server.")]
                }
            }
        }
    }

    private var store: ServiceCheck? {
        self.configuration.sharedStore.map { settings in
            let subject = settings.client.address.text
            return ServiceCheck(Self.name, subject) {
                let keys: S3Credentials
                do {
                    keys = try settings.credentials().keys
                } catch is SettingError {
                    return [CheckResult(.skipped, subject, "Not asked: there are no keys, which 'settings' reports.")]
                }
                let client = try S3Client(settings.client, credentials: keys)
                defer { client.shutdown() }
                do {
                    try await client.probe()
                    return [CheckResult(.ok, subject, "The store of originals accepts the keys.")]
                } catch let failure as StoreFailure {
                    return [
                        CheckResult(
                            .failure, subject,
                            "\(failure): check --originals, --originals-endpoint, --originals-region and the keys.")
                    ]
                }
            }
        }
    }

    private var library: ServiceCheck? {
        self.configuration.library.map { address in
            let subject = "\(address)"
            return ServiceCheck(Self.name, subject) {
                do {
                    try await Blocking.run { try PostgresLibrary.probe(url: address.url) }
                    return [CheckResult(.ok, subject, "The database accepts connections.")]
                } catch let failure as StorageFailure {
                    return [
                        CheckResult(
                            .failure, subject, "\(failure.reason): check --library, the password and the server.")
                    ]
                }
            }
        }
    }
}
