/// The client has left: nothing is answered, and its connection, or its stream of HTTP/2, ends.
struct ClientLeft: Error {}
