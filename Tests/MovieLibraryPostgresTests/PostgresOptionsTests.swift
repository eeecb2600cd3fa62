import InMemoryTracing
import MovieDomain
import MovieLibrary
import PosterTesting
import Testing
import Tracing

@testable import MovieLibraryPostgres

/// TLS, time limits and traces.
@Suite(.timeLimit(.hang), .enabled(if: PostgresServer.isAvailable, "\(PostgresServer.absence)"))
struct PostgresOptionsTests {
    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl"))
    func theServersCertificateIsVerified() async throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let certificate = try TestCertificate(in: folder.path)
        let stranger = try TestCertificate(in: other.path)
        let server = try await PostgresServer.make(certificate: certificate)
        let fixture = try await PostgresFixture(server)
        func connect(_ mode: String, _ root: TestCertificate) async throws {
            let url =
                "postgres://\(PostgresServer.user)@127.0.0.1:\(server.port)/\(fixture.database)?sslmode=\(mode)"
                + "&sslrootcert=\(root.certificatePath)"
            try await fixture.node(url: url).read { connection in
                let isSecure = try connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
                #expect(isSecure.integer == 1)
            }
        }
        for mode in ["verify-full", "verify-ca"] {
            try await connect(mode, certificate)
            let failure = await #expect(throws: StorageFailure.self) { try await connect(mode, stranger) }
            #expect(failure?.reason.contains("certificate verify failed") == true, "\(mode)")
        }
    }

    @Test func aServerWithoutTLSIsRefusedWhereItIsRequired() async throws {
        let fixture = try await PostgresFixture()
        let url =
            "postgres://\(PostgresServer.user)@127.0.0.1:\(fixture.server.port)/\(fixture.database)?sslmode=require"
        await #expect(throws: StorageFailure.self) { try await fixture.node(url: url).connect() }
    }

    @Test func theServerEndsAStatementThatTakesTooLong() async throws {
        let fixture = try await PostgresFixture()
        var limits = PostgresFixture.patient
        limits.statementMilliseconds = 100
        let library = fixture.node(limits)
        await #expect(throws: StorageFailure.self) {
            try await library.read { _ = try $0.execute("SELECT pg_sleep(60)") }
        }
        #expect(library.serverState.fault == "slow" && library.serverState.breaker == "closed")
        try await library.connect()
        #expect(library.serverState.fault == nil)
    }

    @Test func aCallIsASpanWithOneForEachOfItsStatements() async throws {
        let fixture = try await PostgresFixture()
        let library = fixture.node()
        try await library.connect()
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            _ = try await PostgresFavourites(library).put(.numbered(1), of: .device(id: "d"), limit: 9)
        }
        let call = try #require(tracer.finishedSpans.last)
        #expect(call.operationName == "library" && call.attributes.get("db.operation.name") == .string("write"))
        let statements = tracer.finishedSpans.dropLast()
        #expect(statements.count > 3)
        #expect(statements.allSatisfy { $0.operationName == "statement" && $0.parentSpanID == call.spanID })
        let first = try #require(statements.first?.attributes.get("db.query.text"))
        #expect(first == .string("BEGIN"))
    }
}
