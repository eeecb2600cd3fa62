import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// Makes a visitor without a session a device with lists of its own.
struct DeviceSignUp: Sendable {
    let gate: FormGate
    let signIn: SignIn
    /// `nil` disables the limit.
    let newcomers: SignUpRateLimiter?

    /// The form's session, or else a new one with the cookie to be set.
    ///
    /// - Throws: ``Problem`` if the client has signed up too often; `StorageFailure`, `CancellationError`.
    func session(of form: FormGate.Form) async throws -> (session: AuthenticatedSession, cookie: String?) {
        try self.admit(form)
        return try await self.sessionOfAdmitted(form)
    }

    /// Charges the sign-up limit for a form without a session.
    ///
    /// - Throws: ``Problem`` if the client has signed up too often.
    func admit(_ form: FormGate.Form) throws(Problem) {
        if form.session == nil { try self.newcomers?.admit(form.context.clientAddress) }
    }

    /// As ``session(of:)`` after ``admit(_:)``, for forms with work before the sign-up.
    func sessionOfAdmitted(
        _ form: FormGate.Form
    ) async throws -> (session: AuthenticatedSession, cookie: String?) {
        if let session = form.session { return (session, nil) }
        let device = try await self.signIn.registerDevice()
        return (device, self.gate.authenticator.setting(device, form.context))
    }
}
