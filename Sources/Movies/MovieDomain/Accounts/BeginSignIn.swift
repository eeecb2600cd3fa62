/// Asks for the right to act for somebody.
public struct BeginSignIn: Sendable {
    /// Why it is not asked for.
    public enum Failure: Error, Hashable, Sendable {
        /// Nobody is led there: what is accepted is in ``RedirectURI/forms``.
        case unacceptableAddress
    }

    private let accounts: any AccountRepository

    /// - Parameter accounts: Where people sign in.
    public init(accounts: any AccountRepository) {
        self.accounts = accounts
    }

    /// - Parameter address: Where the page of approval leads back to; nil for nowhere.
    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    public func callAsFunction(returningTo address: String?) async throws -> AuthorizationRequest {
        if let address, RedirectURI(address) == nil { throw Failure.unacceptableAddress }
        return try await self.accounts.requestAuthorization(returningTo: address)
    }
}
