// Reads a stream with github.com/donovanhide/eventsource, which comes back by itself, and prints a line of JSON for each
// answer and event.
//
// Usage: read_stream URL TOKEN
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/donovanhide/eventsource"
)

func tell(what map[string]interface{}) {
	line, err := json.Marshal(what)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

type noting struct{}

func (noting) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil {
		tell(map[string]interface{}{"status": response.StatusCode})
	}
	return response, err
}

func main() {
	request, err := http.NewRequest("GET", os.Args[1], nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Args[2])
	stream, err := eventsource.SubscribeWith("", &http.Client{Transport: noting{}}, request)
	if err != nil {
		panic(err)
	}
	for {
		select {
		case event := <-stream.Events:
			tell(map[string]interface{}{"type": event.Event(), "data": event.Data(), "id": event.Id()})
		case err := <-stream.Errors:
			fmt.Fprintln(os.Stderr, err)
		}
	}
}
