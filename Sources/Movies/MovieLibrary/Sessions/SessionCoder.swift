package import Logging
package import MovieDomain

/// Converts between sessions and rows, which contain sealed secrets.
package struct SessionCoder: Sendable {
    private let seal: SessionCipher
    private let logger: Logger
    private let firstOtherKey = OnceFlag()
    private let firstBroken = OnceFlag()

    /// - Parameters:
    ///   - key: Encrypts secrets. A new key ends the sessions of accounts.
    ///   - logger: Logs rejected rows, once for each reason.
    package init(key: SecretKey, logger: Logger) {
        self.seal = SessionCipher(key: key)
        self.logger = logger
    }

    /// - Throws: `StorageFailure`.
    package func record(of session: Session, under token: TokenHash) throws -> SessionRecord {
        do {
            return try SessionRecord(session, under: token, sealedBy: self.seal)
        } catch {
            throw StorageFailure(reason: "a secret cannot be encrypted: \(error)")
        }
    }

    /// - Returns: `nil` for an expired session, and for a rejected row.
    package func session(_ record: SessionRecord, under token: TokenHash, at now: Instant) -> Session? {
        guard now.secondsSince1970 < record.expiresAt else { return nil }
        do throws(SessionRecord.Flaw) {
            return try record.session(under: token, openedBy: self.seal)
        } catch {
            switch error {
            case .otherKey where self.firstOtherKey.setsFirst():
                self.logger.warning("Sessions were encrypted with another key; their users have to sign in again")
            case .broken where self.firstBroken.setsFirst():
                self.logger.warning("A session in the library is damaged or was changed, and is rejected")
            case .otherKey, .broken: break
            }
            return nil
        }
    }
}
