/// The clients of a schedule: tasks that end, leave or are lost in a crash. Used on one thread only.
final class SimulatedClients: @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    final class Client: @unchecked Sendable {
        // Unchecked, as only the main thread uses it.

        let number: Int
        fileprivate(set) var isCancelled = false
        fileprivate var hasEnded = false
        fileprivate var task: Task<Void, Never>?

        fileprivate init(number: Int) {
            self.number = number
        }

        fileprivate func cancel() {
            self.isCancelled = true
            self.task?.cancel()
        }
    }

    private let machine: SimulatedMachine
    private var clients: [Client] = []

    init(machine: SimulatedMachine) {
        self.machine = machine
    }

    /// The number of clients with work that has not ended.
    var waitingCount: Int { self.clients.count { !$0.hasEnded } }

    /// Starts a client.
    /// - Parameters:
    ///   - purpose: Its work, for the trace.
    ///   - body: Its work. Its errors are its own.
    func start(_ purpose: String, _ body: @escaping @Sendable (Client) async -> Void) {
        let client = Client(number: self.clients.count)
        self.machine.note("client \(client.number) \(purpose)")
        client.task = Task {
            defer { client.hasEnded = true }
            await body(client)
        }
        self.clients.append(client)
    }

    /// One of the waiting clients leaves, if there are any.
    func leave() {
        let waiting = self.clients.filter { !$0.hasEnded && !$0.isCancelled }
        guard !waiting.isEmpty else { return }
        let client = self.machine.choice(waiting)
        self.machine.note("client \(client.number) leaves")
        client.cancel()
    }

    /// Ends all connections.
    func cancelAll() {
        for client in self.clients where !client.hasEnded { client.cancel() }
    }

    func forgetAll() { self.clients = [] }
}
