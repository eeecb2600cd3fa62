package import HTTPSemantics

/// An error that knows what clients are told of it.
package protocol ProblemCause: Error {
    var problem: Problem { get }
}
